// The letters. Each is written as its width and then its lines: pairs of digits x y in units of which a
// capital has 7; y counts from 2 below the base line, so that 2 is the base line, 7 the height of an x and 9
// that of an A. A space begins a new line.
#include "render/stroke_font.h"

#include <array>
#include <cstdint>
#include <utility>

namespace impuls {

namespace {

constexpr double kUnit = 1.0 / 7;
constexpr double kGap = 2;  // between letters

// From the space to the tilde.
constexpr std::array<const char*, 95> kAscii{
    "2",
    "00904 02",
    "20907 2927",
    "41913 3933 0747 0545",
    "5584919080716455453421203 2921",
    "40249 0919180809 3343423233",
    "55207081928370403122245",
    "00907",
    "229171421",
    "209171401",
    "42824 0745 4705",
    "40545 2723",
    "11200",
    "30535",
    "002",
    "40149",
    "4190803123243483919",
    "4182922",
    "408193948460242",
    "408193948473626 364543321203",
    "432390444",
    "4490906364543321203",
    "4483919080312324345361605",
    "4094912",
    "416070819394847361605031232434536",
    "4463515060819394843321203",
    "002 06",
    "116 1200",
    "4480542",
    "40646 0444",
    "4084502",
    "408193948472524 22",
    "65322042649695654 4637273443",
    "6023962 1454",
    "502093948473606 3655534202",
    "55849290704224253",
    "502093957543202",
    "449090242 0636",
    "4490902 0636",
    "658492907042242636545",
    "50902 5952 0656",
    "10902",
    "44943321203",
    "50902 5904 2652",
    "4090242",
    "60209356962",
    "502095259",
    "6290704224264674929",
    "502094958564505",
    "6290704224264674929 4462",
    "502094958564505 3552",
    "5584919080716455453421203",
    "60969 3932",
    "5090312425359",
    "6093269",
    "80922496289",
    "50952 0259",
    "6093669 3632",
    "509590252",
    "119090111",
    "40941",
    "109191101",
    "4072947",
    "50151",
    "10918",
    "44742 4637170603123243",
    "40902 0617374643321203",
    "44637170603123243",
    "44942 4637170603123243",
    "405454637170603123243",
    "339291812 0737",
    "44741301001 4637170603123243",
    "40902 0617374642",
    "00702 09",
    "227211000 29",
    "40902 4704 1542",
    "00902",
    "60702 0617273632 3647576662",
    "40702 0617374642",
    "4170603123243463717",
    "40700 0617374643321203",
    "44740 4637170603123243",
    "30702 061737",
    "446371706153443321203",
    "319132232 0737",
    "40703123243 4742",
    "4072247",
    "60712375267",
    "40742 0247",
    "40722 472210",
    "407470242",
    "229181605141221",
    "00901",
    "209181625141201",
    "405163445",
};

constexpr std::pair<std::uint32_t, const char*> kOthers[] = {
    {0x00d7, "40743 0347"},
    {0x00b2, "308192928270535"},
    {0x00b3, "309291726251505"},
    {0x00b7, "105"},
    {0x00b0, "21807162718"},
    {0x03c9, "6170603122335 354352636657"},
    {0x00b5, "40700 0703123243 4742"},
    {0x03b1, "54717060312224752"},
    {0x03c6, "6270603224263664727 3930"},
    {0x00e4, "44742 4637170603123243 19 39"},
    {0x00f6, "4170603123243463717 19 39"},
    {0x00fc, "40703123243 4742 19 39"},
    {0x2192, "50555 375533"},
    {0x2026, "402 22 42"},
    {0x0394, "602396202"},
    {0x03b8, "4190803123243483919 0545"},
    {0x00df, "400081928273645433222"},
    {0x2013, kAscii[13]},
    {0x2014, kAscii[13]},
    {0x2212, kAscii[13]},
    {0x2019, kAscii[7]},
    {0x2018, kAscii[7]},
    {0x201c, kAscii[2]},
    {0x201d, kAscii[2]},
    {0x00e9, kAscii[69]},
    {0x00e8, kAscii[69]},
};

constexpr const char* kBox = "40242490902";

const char* glyph(std::uint32_t code) {
    if (code >= 0x20 && code < 0x7f) return kAscii[code - 0x20];
    for (const auto& [other, lines] : kOthers)
        if (other == code) return lines;
    return kBox;
}

// Takes the next letter off a text in UTF-8; a byte that begins none stands for itself.
std::uint32_t take_letter(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    std::uint32_t code = more == 0 ? first : first & (0x3fu >> more);
    std::size_t used = 1;
    for (; used <= more && used < text.size(); ++used)
        code = code << 6 | (static_cast<unsigned char>(text[used]) & 0x3fu);
    text.remove_prefix(used);
    return code;
}

double width_of(const char* lines) {
    return lines[0] - '0';
}

}  // namespace

std::vector<std::vector<GlyphPoint>> text_strokes(std::string_view text) {
    std::vector<std::vector<GlyphPoint>> strokes;
    double left = 0;
    while (!text.empty()) {
        const char* lines = glyph(take_letter(text));
        bool is_new = true;
        for (const char* at = lines + 1; *at; ++at) {
            if (*at == ' ') {
                is_new = true;
                continue;
            }
            if (is_new) strokes.emplace_back();
            is_new = false;
            strokes.back().push_back({kUnit * (left + at[0] - '0'), kUnit * (at[1] - '2')});
            ++at;
        }
        left += width_of(lines) + kGap;
    }
    return strokes;
}

double text_width(std::string_view text) {
    double width = 0;
    while (!text.empty()) width += width_of(glyph(take_letter(text))) + kGap;
    return width > 0 ? kUnit * (width - kGap) : 0;
}

}  // namespace impuls
