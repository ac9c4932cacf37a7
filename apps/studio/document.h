// The scene as it is being written, with unlimited undo. Its text is the truth: an edit gives a value a new
// text at its path, so that variables, generators and comments of everything else stay as they were written,
// and the whole is read and checked again; an edit that does not pass changes nothing. Called by the session.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "impuls/scene.h"
#include "impuls/scene_file.h"

namespace impuls::studio {

class Document {
  public:
    // All throw InputError (and FileError) and then leave the document as it is.
    void open(const std::string& file);
    void open_text(const std::string& text, const std::string& name);
    void make_new();
    // As it was left, with changes that its file may not have yet.
    void take_up(const std::string& text, const std::string& file);

    // All of it is one step of undo. Values are set first, then elements go, then others come; joints and
    // forces go with the bodies that they hold. Lists: bodies, joints, forces, materials.
    struct Edit {
        Overrides values{};  // {"bodies.3.position", "[0, 1, \"2*r\"]"}
        std::vector<std::pair<std::string, std::size_t>> removed{};  // list, place
        std::vector<std::pair<std::string, std::string>> added{};    // list, JSON of the element
        std::string label{};
    };
    void edit(const Edit& edit);
    void edit(const Overrides& values, const std::string& label) { edit({values, {}, {}, label}); }
    bool undo();
    bool redo();

    // Refuses to take the place of a file, unless it is the document's own or `overwrite`.
    void save(const std::string& file, bool overwrite);

    const Scene& scene() const { return now_.scene; }
    const std::string& text() const { return now_.text; }
    const std::string& file() const { return file_; }  // "" for a scene that has none yet
    std::string undo_label() const { return undo_.empty() ? "" : now_.label; }
    std::string redo_label() const { return redo_.empty() ? "" : redo_.back().label; }
    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }
    bool is_changed() const { return now_.text != saved_; }

  private:
    struct Version {
        Scene scene{};
        std::string text{};
        std::string label{};  // what led to it
    };
    void start(Scene scene, const std::string& file);
    void take(Scene scene, const std::string& label);

    Version now_{};
    std::vector<Version> undo_{}, redo_{};
    std::string file_{};
    std::string saved_{};  // text of the file
};

}  // namespace impuls::studio
