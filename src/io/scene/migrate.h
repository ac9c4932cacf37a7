// Older forms of scenes and commands, brought into the present one before they are read, so that nothing else
// knows them. Called by the scene loader and parse_command.
#pragma once

#include <json/json.h>

namespace impuls {

// A method with the options of its stepper beside each other, and commands of the timeline.
void migrate_scene(Json::Value& scene);
// add_body, remove_body and the like: put and remove; set_gravity: set_settings.
void migrate_command(Json::Value& command);

}  // namespace impuls
