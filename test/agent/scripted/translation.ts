/**
 * The updates of a script in the form of version 2. Scripts are written in the form of version 1, so that one script gives both forms of a
 * conversation. An update that has the form of version 2 already stays as it is.
 */
type Fields = Record<string, unknown>;

/** Translates the updates of one session, in their order. */
export class Translation {
  private count = 0;
  private readonly entries = new Set<string>();
  private message: { readonly kind: unknown; readonly messageId: string } | undefined;

  /** @param mark distinguishes the ids of messages from those of other turns */
  constructor(private readonly mark: string) {}

  update(update: Fields): Fields {
    const kind = update.sessionUpdate;
    switch (kind) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
      case 'user_message_chunk':
        return update.messageId === undefined ? { ...update, messageId: this.messageId(kind) } : update;
      case 'tool_call':
      case 'tool_call_update':
        this.entry(`call ${String(update.toolCallId)}`);
        return toolCall({ ...update, sessionUpdate: 'tool_call_update' });
      case 'compaction_update':
        this.entry(`compaction ${String(update.compactionId)}`);
        return update;
      case 'plan':
        return { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'plan', entries: update.entries } };
      case 'config_option_update':
        return { ...update, configOptions: options(update.configOptions) };
      case 'available_commands_update':
        return { ...update, availableCommands: commands(update.availableCommands) };
      default:
        return update;
    }
  }

  /** A new entry ends the message before it. */
  private entry(key: string): void {
    if (!this.entries.has(key)) {
      this.entries.add(key);
      this.message = undefined;
    }
  }

  private messageId(kind: unknown): string {
    const { message } = this;
    const current = message && message.kind === kind ? message : { kind, messageId: `${this.mark}m${++this.count}` };
    this.message = current;
    return current.messageId;
  }
}

export function toolCall(call: Fields): Fields {
  return Array.isArray(call.content)
    ? { ...call, content: call.content.map((item: Fields) => (item.type === 'diff' ? diff(item) : item)) }
    : call;
}

function diff(item: Fields): Fields {
  if (item.changes !== undefined) {
    return item;
  }
  const { path, oldText, newText } = item as { path: string; oldText?: string | null; newText?: string };
  const isNew = oldText === undefined || oldText === null;
  return {
    type: 'diff',
    changes: [{ operation: isNew ? 'add' : 'modify', path }],
    patch: { format: 'git_patch', text: patchOf(path, isNew ? undefined : oldText, newText ?? '') },
  };
}

/** A patch that replaces all lines. */
function patchOf(path: string, oldText: string | undefined, newText: string): string {
  const [before, after] = [linesOf('-', oldText ?? ''), linesOf('+', newText)];
  const range = (lines: readonly string[]): string =>
    lines.length === 0 ? '0,0' : `1,${lines.filter((line) => line !== NO_NEWLINE).length}`;
  return [
    `diff --git ${path} ${path}`,
    ...(oldText === undefined ? ['new file mode 100644', '--- /dev/null'] : [`--- ${path}`]),
    `+++ ${path}`,
    `@@ -${range(before)} +${range(after)} @@`,
    ...before,
    ...after,
    '',
  ].join('\n');
}

const NO_NEWLINE = '\\ No newline at end of file';

function linesOf(sign: string, text: string): string[] {
  const lines = text.split('\n').map((line) => `${sign}${line}`);
  return text.endsWith('\n') || text === '' ? lines.slice(0, -1) : [...lines, NO_NEWLINE];
}

export function options(raw: unknown): unknown {
  return Array.isArray(raw)
    ? raw.map((option: Fields) => {
        const { id, ...rest } = option;
        const choices = option.options as Fields[] | undefined;
        return {
          ...rest,
          configId: option.configId ?? id,
          ...(choices && {
            options: choices.map(({ group, ...choice }) => ({ ...choice, ...(group !== undefined && { groupId: group }) })),
          }),
        };
      })
    : raw;
}

export function commands(raw: unknown): unknown {
  return Array.isArray(raw)
    ? raw.map(({ input, ...command }: Fields) => ({
        type: 'command',
        ...command,
        ...(input !== undefined && input !== null && { input: { type: 'text', ...(input as Fields) } }),
      }))
    : raw;
}
