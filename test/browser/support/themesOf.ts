/**
 * The themes in which a test checks a page: `gate` in the gate, all of them elsewhere. The rules that a theme can break are about its colours and
 * borders, which all pages take from the same variables. So the gate checks each page in the dark theme and in another one or two, and each
 * of the four kinds of theme in some page. `npm run test:browser` and the long tests check all.
 */
export function themesOf(all: readonly string[], gate: readonly string[]): readonly string[] {
  return process.env['ACP_HOST_THEMES'] === 'gate' ? all.filter((theme) => gate.includes(theme)) : all;
}
