/** The longer texts of the gallery. */
export const OLD_CODE = `/** Greets. */
export function greet(): string {
  return 'hello world';
}

export function main(): void {
  console.log(greet());
}
`;

export const NEW_CODE = `/** Greets whoever is named. */
export function greet(name = 'world'): string {
  return \`Hello, \${name}!\`;
}

export function main(): void {
  console.log(greet(process.argv[2]));
}
`;

export const ANSWER = `I'll make \`greet()\` take a **name**. Three things to know:

1. The default stays \`world\`, so *no caller breaks*
2. The greeting gets a capital letter and an exclamation mark
   - which the test in [greet.test.ts](test/greet.test.ts:14) expects
3. See also [the style guide](https://example.com/style)

## What changes

| File | Change | Lines |
|:-----|:------:|------:|
| \`src/greet.ts\` | signature | 3 |
| \`test/greet.test.ts\` | one more case | 12 |

- [x] Read the code
- [ ] Run the tests

> A greeting without a name is just noise.

\`\`\`ts
export function greet(name = 'world'): string {
  return \`Hello, \${name}!\`;
}
\`\`\`

The same in Python, and the settings:

\`\`\`python scripts/greet.py
import sys

DEFAULT = "world"  # who is greeted when nobody is named

class Greeter:
    """Greets politely."""

    def greet(self, name: str = DEFAULT, times: int = 1) -> str:
        if name is None or len(name) > 80:
            raise ValueError(f"not a name: {name!r}")
        return f"Hello, {name}!" * times

print(Greeter().greet(*sys.argv[1:]))
\`\`\`

\`\`\`jsonc
{
  // Read once, at the start.
  "greeting": { "default": "world", "times": 1, "polite": true, "pattern": "^\\\\w+$" }
}
\`\`\`
`;

/** The HTML tags and footnotes that answers may use. */
export const TAGS = `Press <kbd>Ctrl</kbd>+<kbd>S</kbd> to save. Water is H<sub>2</sub>O, and 2<sup>10</sup> is 1024.[^1]<br>A new line.

<details>
<summary>Why the **default** stays</summary>

- No caller breaks
- \`greet()\` alone still greets the world

</details>

<details open>
<summary>Open from the start</summary>

Other HTML, such as <b>this</b>, is text.

</details>

[^1]: As in *A Style Guide*, page 12.
`;

export const LOG = [
  '',
  '\u001b[1m> sample@1.0.0 test\u001b[0m',
  '\u001b[2m> node --test\u001b[0m',
  '',
  '\u001b[32m✔\u001b[0m greets the world \u001b[90m(1.2ms)\u001b[0m',
  '\u001b[32m✔\u001b[0m greets by name \u001b[90m(0.3ms)\u001b[0m',
  '\u001b[33m⚠\u001b[0m \u001b[38;5;208mslow\u001b[0m \u001b[38;2;120;160;255mintegration\u001b[0m \u001b[7m skipped \u001b[0m',
  '\u001b[36mℹ tests 12\u001b[0m',
  '\u001b[32mℹ pass 12\u001b[0m',
  '\u001b[31mℹ fail 0\u001b[0m',
  '',
].join('\r\n');

/** A small PNG. */
export const PIXELS =
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAwCAIAAABhdOiYAAAAdUlEQVR42u3RMRHAIBREQSRSIwIRqZFDTR0vaSIBE1f92Zln4PbaN3uk/4xIcz+R+nojNUCAAAECBAgQIECAAAECBAgQIECAAAECBAgQIEAlgKoOSx0PCBAgQIAAAQIECBAgQIAAAQIECBAgQIAAAQIEqATQBRL+YlJOCb5jAAAAAElFTkSuQmCC';
