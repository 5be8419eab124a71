/** Files of languages whose servers know the symbols of a workspace. Pure. */

/** File name endings by language: one server answers for all of a row. */
const LANGUAGES = [
  /\.[cm]?[jt]sx?$/i,
  /\.pyi?$/i,
  /\.go$/i,
  /\.rs$/i,
  /\.(?:java|kt|scala)$/i,
  /\.cs$/i,
  /\.(?:c|cc|cpp|h|hpp)$/i,
  /\.rb$/i,
  /\.php$/i,
  /\.swift$/i,
  /\.dart$/i,
];

export function isCode(path: string): boolean {
  return languageOf(path) >= 0;
}

/** Returns a file of the language that most of `paths` have. Undefined when there is no code, or a file of that language is open. */
export function fileToOpen(paths: readonly string[], open: readonly string[]): string | undefined {
  const counts = new Map<number, number>();
  for (const path of paths.filter(isCode)) {
    counts.set(languageOf(path), (counts.get(languageOf(path)) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return most === undefined || open.some((path) => languageOf(path) === most) ? undefined : paths.find((path) => languageOf(path) === most);
}

function languageOf(path: string): number {
  return LANGUAGES.findIndex((ending) => ending.test(path));
}
