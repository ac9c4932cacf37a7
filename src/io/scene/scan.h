// A light pass over JSON text: strings, comments and brackets, without building anything. It bounds the depth
// before the parser runs, finds comments, and names the path at a place. Called by text.cpp.
#pragma once

#include <algorithm>
#include <string>

namespace impuls {

enum class Token { Comment, String, Punctuation };

// visit(token, start, end) -> go on?
template <class Visit>
void scan_json(const std::string& text, Visit&& visit) {
    const std::size_t size = text.size();
    for (std::size_t k = 0; k < size;) {
        const char c = text[k];
        std::size_t end = k + 1;
        Token token = Token::Punctuation;
        if (c == '"') {
            token = Token::String;
            while (end < size && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, size);
        } else if (c == '/' && end < size && text[end] == '/') {
            token = Token::Comment;
            end = std::min(text.find_first_of("\r\n", k), size);
        } else if (c == '/' && end < size && text[end] == '*') {
            token = Token::Comment;
            const std::size_t close = text.find("*/", end + 1);
            end = close == std::string::npos ? size : close + 2;
        } else if (c != '{' && c != '}' && c != '[' && c != ']' && c != ',' && c != ':') {
            ++k;
            continue;
        }
        if (!visit(token, k, end)) return;
        k = end;
    }
}

// The JSON path of the value at or around an offset, as far as the text before it tells.
std::string path_at(const std::string& text, std::size_t offset);

}  // namespace impuls
