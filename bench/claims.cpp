// Claims about time, written and read (claims.h).
#include "bench/claims.h"

#include <fmt/format.h>
#include <json/json.h>

#include <fstream>

#include "bench/columns.h"
#include "impuls/errors.h"

namespace impuls::bench {

void write_claims(const Claims& claims, const std::string& file) {
    Json::Value root;
    root["machine"] = claims.machine, root["date"] = claims.date;
    root["claims"] = Json::arrayValue;
    for (const Claim& claim : claims.list) {
        Json::Value& v = root["claims"].append({});
        v["name"] = claim.name, v["about"] = claim.about, v["value"] = claim.value, v["bar"] = claim.bar;
        v["holds"] = claim.holds;
    }
    Json::StreamWriterBuilder builder;
    builder["indentation"] = " ";
    builder["precision"] = 6;
    std::ofstream out(file);
    out << Json::writeString(builder, root) << "\n";
    out.close();
    if (!out) throw FileError("cannot write " + file);
}

Claims read_claims(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw FileError("cannot read " + file);
    Json::Value root;
    std::string errors;
    if (!Json::parseFromStream(Json::CharReaderBuilder(), in, &root, &errors))
        throw InputError(file + ": " + errors);
    Claims claims{root["machine"].asString(), root["date"].asString(), {}};
    for (const Json::Value& v : root["claims"])
        claims.list.push_back({v["name"].asString(), v["about"].asString(), v["value"].asDouble(),
                               v["bar"].asString(), v["holds"].asBool()});
    return claims;
}

std::string claim_table(const std::vector<Claim>& claims) {
    std::string text = "| claim | | measured | bar | |\n| --- | --- | ---: | --- | --- |\n";
    for (const Claim& claim : claims)
        text += fmt::format("| {} | {} | {} | {} | {} |\n", claim.name, claim.about, digits(claim.value),
                            claim.bar, claim.holds ? "holds" : "**does not hold**");
    return text;
}

bool print_claims(const std::vector<Claim>& claims) {
    bool holds = true;
    for (const Claim& claim : claims) {
        fmt::print("{:<18} {:<74} {:>8}  {:<13} {}\n", claim.name, claim.about, digits(claim.value),
                   claim.bar, claim.holds ? "holds" : "DOES NOT HOLD");
        holds = holds && claim.holds;
    }
    return holds;
}

}  // namespace impuls::bench
