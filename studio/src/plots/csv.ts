// Plotted values as a table for other programs.

// A header and one line a time; values that do not exist are empty.
export function toCsv(times: number[], columns: { name: string; unit: string; values: (number | null)[] }[]): string {
    const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const header = ["time [s]", ...columns.map((c) => (c.unit ? `${c.name} [${c.unit}]` : c.name))].map(quoted).join(",");
    const rows = times.map((t, k) => [t, ...columns.map((c) => c.values[k] ?? "")].join(","));
    return [header, ...rows].join("\n") + "\n";
}
