/** A typical Markdown answer of an agent, of any length; the same text on every call. */

const WORDS =
  'the function reads its input once and keeps what it has seen so that a second call costs nothing which matters because every frame of the view asks for it again'.split(
    ' ',
  );

const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => WORDS[(from + at * 7) % WORDS.length]!).join(' ');

/** One section of about 1.5 KB: prose with emphasis, code and links, a list, a table, a block of code. */
function section(index: number): string {
  const rows = Array.from({ length: 4 }, (_, row) => `| \`item${index}-${row}\` | ${words(index + row, 5)} | ${row * index} |`).join('\n');
  const code = Array.from(
    { length: 9 },
    (_, line) => `  const value${line} = compute(${index}, ${line}); // ${words(index + line, 4)}`,
  ).join('\n');
  return `## ${words(index, 4)} ${index}

${words(index, 30)}, **${words(index + 3, 3)}**, \`call(${index})\` and [${words(index, 2)}](src/part${index}.ts). ${words(index + 11, 28)}.

- ${words(index, 9)}
- ${words(index + 5, 7)} with \`code\`
  - ${words(index + 2, 6)}
- ${words(index + 1, 8)}

| name | what | count |
|---|---|---|
${rows}

\`\`\`ts
function part${index}(): void {
${code}
}
\`\`\`

${words(index + 17, 40)}.

`;
}

/** @param length UTF-16 units */
export function markdownText(length: number): string {
  let text = '';
  for (let index = 1; text.length < length; index++) {
    text += section(index);
  }
  return text.slice(0, length);
}
