// World files of AERO (Stuttgart, 1993-96) as scenes. The format is public as FILE_FORMAT of AERO's sources,
// "Format of World & Sequence Files": lines that begin with a letter, `#` begins a comment,
//     Z  t g s | K<n> type geometry material  m p v q w c b … | E … X | V<n> K<a> K<b> type numbers  a b | F
//     … | Q
// Called by load_scene for names that end in .aero.
#pragma once

#include <string>

#include "impuls/scene.h"

namespace impuls {

bool is_aero_file(const std::string& file);
// The first state of the file. What has no counterpart is named in the scene's description. Throws InputError
// with all problems, each with its line; words that the format does not know are among them.
Scene read_aero(const std::string& text, const std::string& file);

}  // namespace impuls
