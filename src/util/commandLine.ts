/** Returns a command and its arguments as one line for display. Never pass it to a shell. */
export function displayCommand(command: string, args: readonly string[] = []): string {
  return [command, ...args].map(quote).join(' ');
}

function quote(word: string): string {
  if (/[\x00-\x1f\x7f]/.test(word)) {
    return JSON.stringify(word);
  }
  return word !== '' && /^[^\s"'`$&|;<>()*?[\]{}!#~\\]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
