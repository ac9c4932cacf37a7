// Closes a menu when something else is pressed, or Escape.
export function outside(menu: HTMLElement, close: () => void) {
    // What opens the menu also closes it.
    const holder = menu.parentElement;
    const press = (e: PointerEvent) => {
        if (!holder?.contains(e.target as Node)) close();
    };
    const key = (e: KeyboardEvent) => e.key === "Escape" && close();
    window.addEventListener("pointerdown", press, true);
    window.addEventListener("keydown", key, true);
    return {
        destroy() {
            window.removeEventListener("pointerdown", press, true);
            window.removeEventListener("keydown", key, true);
        },
    };
}
