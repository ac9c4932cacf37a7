// What can be plotted of something: the patterns that `impuls list quantities` prints, with its name in them.

export interface Pattern {
    name: string; // bodies.<name>.position[.x|.y|.z]
    unit: string;
}
export interface Offer {
    name: string;
    label: string;
    unit: string;
}

const families: { [kind: string]: string } = { body: "bodies", joint: "joints", force: "forces" };

// `kind` "" for the scene as a whole.
export function offersFor(patterns: Pattern[], kind: string, thing: string): Offer[] {
    const offers: Offer[] = [];
    for (const { name, unit } of patterns) {
        const bare = name.replace(/\[[^\]]*\|[^\]]*\]/g, "").replace(/\.\w+(\|\.\w+)+/g, "");
        if (/[(){}]/.test(bare)) continue;
        if (kind === "") {
            if (!/[<>[\]]/.test(bare)) offers.push({ name: bare, label: bare.replaceAll("_", " "), unit });
            continue;
        }
        const start = `${families[kind]}.<name>.`;
        if (!bare.startsWith(start) || /[<>[\]]/.test(bare.slice(start.length))) continue;
        offers.push({ name: `${families[kind]}.${thing}.${bare.slice(start.length)}`, label: bare.slice(start.length).replaceAll("_", " "), unit });
    }
    return offers;
}

export interface Statistics {
    min: number;
    max: number;
    mean: number;
    rms: number;
}
export function statisticsOf(values: (number | null)[]): Statistics | null {
    const known = values.filter((v): v is number => v !== null);
    if (known.length === 0) return null;
    const mean = known.reduce((a, b) => a + b, 0) / known.length;
    const rms = Math.sqrt(known.reduce((a, b) => a + b * b, 0) / known.length);
    return { min: known.reduce((a, b) => Math.min(a, b)), max: known.reduce((a, b) => Math.max(a, b)), mean, rms };
}
