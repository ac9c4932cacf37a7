// The generated JSON Schema against an independent validator: every shipped scene passes, broken ones do not.
#include <json/json.h>

#include <valijson/adapters/jsoncpp_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "io/scene/testing.h"
#include "support/places.h"

namespace impuls {
namespace {

Json::Value parse(const std::string& text) {
    Json::CharReaderBuilder builder;
    Json::Value value;
    std::istringstream in(text);
    std::string errors;
    EXPECT_TRUE(Json::parseFromStream(builder, in, &value, &errors)) << errors;
    return value;
}

class SceneSchema : public testing::Test {
  protected:
    void SetUp() override {
        document_ = parse(scene_schema());
        valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
        parser.populateSchema(valijson::adapters::JsonCppAdapter(document_), schema_);
    }
    bool accepts(const std::string& text) {
        const Json::Value scene = parse(text);
        valijson::Validator validator;
        return validator.validate(schema_, valijson::adapters::JsonCppAdapter(scene), nullptr);
    }

    Json::Value document_;
    valijson::Schema schema_;
};

TEST_F(SceneSchema, ShippedScenesAreValid) {
    const std::filesystem::path folder = in_project("scenes");
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        ++count;
        EXPECT_TRUE(accepts(read_text(entry.path().string()))) << entry.path();
        EXPECT_EQ(file_complaints(entry.path().string()), "");
    }
    RecordProperty("scenes", count);
}

TEST_F(SceneSchema, AcceptsWhatLoads) {
    for (
        const char* text :
        {R"({"impuls": 1})",
         R"({"impuls": 1, "variables": {"n": 3, "r": "n/2"}, "settings": {"dt": "r/1000", "method": "fast"}})",
         R"({"impuls": 1, "settings": {"method": {"preset": "fast", "integrator": "rk4",
                 "stepper": {"type": "blocks", "substeps": "2+2"}}}})",
         R"({"impuls": 1, "bodies": [{"shape": {"type": "compound", "parts": [{"type": "sphere", "radius": 1,
                 "position": [0, "1", 0]}]}, "orientation": {"axis": [0, 0, 1], "angle": "pi"}}]})",
         R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "box"}, "orientation": [1, 0, 0, 0]}],
                 "joints": [{"type": "ball", "b": "a", "anchor": [0, 0, 0]}],
                 "forces": [{"type": "spring", "b": "a", "stiffness": "2*3", "until": 4}],
                 "timeline": [{"time": 1, "type": "put", "bodies": [{"name": "b", "shape": {"type": "box"}}]},
                              {"time": 2, "type": "set_settings", "gravity": [0, 0, 0], "events": ["timer_tick"]},
                              {"time": 2, "type": "batch", "commands": [{"type": "remove", "bodies": ["b"]}]},
                              {"time": 3, "type": "set_method", "method": "fast"}],
                 "measure": ["energy.total", {"quantity": "bodies.a.position.y", "every": 2}]})"}) {
        EXPECT_TRUE(accepts(text)) << text;
        EXPECT_EQ(complaints(text), "");
    }
}

TEST_F(SceneSchema, RefusesWhatDoesNotLoad) {
    for (
        const char* text :
        {R"({})",
         R"({"impuls": 2})",
         R"({"impuls": 1, "colour": 3})",
         R"({"impuls": 1, "settings": {"dt": 0}})",
         R"({"impuls": 1, "settings": {"dt": true}})",
         R"({"impuls": 1, "settings": {"gravity": [0, 0]}})",
         R"({"impuls": 1, "settings": {"method": {"stepper": {"type": "impulse", "substeps": 1.5}}}})",
         R"({"impuls": 1, "settings": {"method": {"stepper": {"type": "velocity", "impacts": "propagating"}}}})",
         R"({"impuls": 1, "bodies": [{}]})",
         R"({"impuls": 1, "bodies": [{"shape": {"type": "spere"}}]})",
         R"({"impuls": 1, "bodies": [{"shape": {"type": "sphere", "size": [1, 1, 1]}}]})",
         R"({"impuls": 1, "bodies": [{"shape": {"type": "sphere", "radius": -1}}]})",
         R"({"impuls": 1, "bodies": [{"shape": {"type": "box"}, "kind": "frozen"}]})",
         R"({"impuls": 1, "bodies": [{"shape": {"type": "box"}, "color": [0, 0, 2]}]})",
         R"({"impuls": 1, "bodies": [{"shape": {"type": "box"}, "orientation": {"axis": [0, 0, 1]}}]})",
         R"({"impuls": 1, "joints": [{"b": "a"}]})",
         R"({"impuls": 1, "joints": [{"type": "ball"}]})",
         R"({"impuls": 1, "joints": [{"type": "ball", "b": "a", "radius": 3}]})",
         R"({"impuls": 1, "forces": [{"type": "spring", "b": "a"}]})",

         R"({"impuls": 1, "timeline": [{"time": 1, "type": "set_gravity", "body": "a"}]})",
         R"({"impuls": 1, "variables": {"2n": 3}})"}) {
        EXPECT_FALSE(accepts(text)) << text;
        EXPECT_NE(complaints(text), "") << text;
    }
}

TEST_F(SceneSchema, SaysUnitsRangesAndDefaults) {
    const Json::Value& settings = document_["properties"]["settings"]["properties"];
    EXPECT_EQ(settings["dt"]["description"].asString(), "time step [s]");
    EXPECT_EQ(settings["dt"]["exclusiveMinimum"].asDouble(), 0);
    EXPECT_EQ(settings["dt"]["default"].asDouble(), 0.01);
    EXPECT_EQ(settings["gravity"]["default"][1].asDouble(), -9.81);
    EXPECT_EQ(document_["definitions"]["shape"]["oneOf"].size(), std::variant_size_v<Shape>);
    EXPECT_EQ(document_["definitions"]["body"]["properties"]["kind"]["default"].asString(), "dynamic");
}

}  // namespace
}  // namespace impuls
