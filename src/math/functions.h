// Elementary functions from IEEE + - * / and sqrt alone: the same bits with every compiler, build and
// machine, so that they may be used inside a step. Errors stay below 1 ulp everywhere (0.55, and 0.73 where
// results underflow); special values are those of IEEE 754 (9.2.1). Each reduces its argument exactly or to
// twice the precision (math/double_double.h), and there a table or symmetry leaves a short Taylor series.
// Called by integrators, laws of contact, expressions of time and scripted motion.
#pragma once

namespace impuls::functions {

double sin(double x);  // of any size: reduced by as many bits of 2/pi as it takes
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double exp(double x);
double log(double x);
double pow(double x, double y);
double hypot(double x, double y);
double tanh(double x);

struct SinCos {
    double sin, cos;
};
SinCos sin_cos(double x);

}  // namespace impuls::functions
