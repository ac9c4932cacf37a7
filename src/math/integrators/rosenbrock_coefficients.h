// Coefficients of RODAS in the form of rosenbrock.cpp (Hairer, Wanner: Solving ODEs II, IV.7), which tests
// check by the conditions of order 4 and by the stability function. m is the last row of A and a one; the
// error is k_6 itself.
#pragma once

namespace impuls::integrators::rodas {

inline constexpr double kDiagonal = 0.25;
inline constexpr double kAlpha[6]{0, 0.386, 0.21, 0.63, 1, 1};
inline constexpr double kDelta[6]{0.25, -0.1043, 0.1035, -0.03620000000000023, 0, 0};
inline constexpr double kPlace[6][5]{
    {},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1},
};
inline constexpr double kMix[6][5]{
    {},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054},
};

}  // namespace impuls::integrators::rodas
