/** The tools of other extensions (`vscode.lm`), each offered by the user's choice. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { bounded, unlessAborted } from '../answerText';
import { type EditorTool, editorTool, type ToolAnswer, type ToolContext } from '../tool';

/** A tool that an extension has registered. Its texts are that extension's. */
export interface ExtensionTool {
  readonly name: string;
  readonly description: string;
  /** A JSON schema of an object. Undefined for a tool without input. */
  readonly inputSchema: unknown;
}

export interface ExtensionToolsPort {
  /** The registered tools that the user has chosen, in this order. */
  chosen(): readonly ExtensionTool[];
  /** Resolves to the texts of the result. Rejects with the extension's error. */
  invoke(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<readonly string[]>;
}

const TIMEOUT = 120_000;
const MAX_DESCRIPTION = 4000;
const MAX_SCHEMA = 64 * 1024;
/** The maximum length of a name: models accept 64 characters, and an agent puts 13 before it. */
const MAX_NAME = 50;
const PREFIX = 'ext_';

/** Returns one tool for each that the user has chosen. All of them ask, because their effects are unknown. */
export function extensionTools(port: ExtensionToolsPort): readonly EditorTool[] {
  return port.chosen().flatMap((tool) => {
    const inputSchema = schemaOf(tool.inputSchema);
    return inputSchema
      ? editorTool({
          name: toolName(tool.name),
          category: 'extensions',
          title: tool.name,
          description: bounded(tool.description, MAX_DESCRIPTION) || `The tool ${tool.name} of an extension of VS Code.`,
          isReadOnly: false,
          // VS Code and the extension check the input. A foreign pattern must not run here.
          input: z.looseObject({}),
          inputSchema,
          timeout: TIMEOUT,
          run: (given, context) => run(port, tool.name, given, context),
        })
      : [];
  });
}

/** Returns the name for models. A name that is too long or has other characters gets a hash, so that it stays unique and the same everywhere. */
export function toolName(name: string): string {
  const plain = `${PREFIX}${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;
  if (plain === PREFIX + name && plain.length <= MAX_NAME) {
    return plain;
  }
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${plain.slice(0, MAX_NAME - 9)}_${hash}`;
}

/** Returns the extension's own schema, or undefined for one that is no object or too large. */
function schemaOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const own = schema ?? { type: 'object', properties: {} };
  if (typeof own !== 'object' || own === null || Array.isArray(own)) {
    return undefined;
  }
  const json = JSON.stringify(own);
  const { type = 'object', ...members } = JSON.parse(json) as Record<string, unknown>;
  return json.length > MAX_SCHEMA || type !== 'object' ? undefined : { type, ...members };
}

async function run(
  port: ExtensionToolsPort,
  name: string,
  input: Readonly<Record<string, unknown>>,
  { signal, timedOut }: ToolContext,
): Promise<ToolAnswer> {
  try {
    const parts = await unlessAborted(port.invoke(name, input, signal), signal);
    return parts
      ? { text: bounded(parts.join('\n')) || 'The tool has answered nothing.' }
      : { text: 'The tool has not answered in time. VS Code may be asking the user.', data: { timedOut: timedOut || signal.aborted } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { text: `The extension's tool failed: ${message.slice(0, 2000)}\nCheck the input and call again.`, isError: true };
  }
}
