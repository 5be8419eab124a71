/** The place of an agent's entry in the text of the user's settings, which is JSON with comments. Pure. */

/** A string, a comment, a bracket or a colon; everything else has no meaning for the place. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}[\]:]/g;

/** Returns the UTF-16 offset of this entry's name in the object `setting` of `text`. Undefined when it is not there. */
export function entryOffset(text: string, setting: string, name: string): number | undefined {
  const path: string[] = [];
  let last: { readonly name: string; readonly at: number } | undefined;
  let key = '';
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      path.push(key);
      key = '';
    } else if (token === '}' || token === ']') {
      path.pop();
    } else if (token === ':' && last) {
      key = last.name;
      if (key === name && path.length === 2 && path[1] === setting) {
        return last.at;
      }
    } else if (token.startsWith('"')) {
      last = { name: nameIn(token), at: index };
    }
  }
  return undefined;
}

function nameIn(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return '';
  }
}
