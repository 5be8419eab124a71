/** The guide's actions through the client: read, edit, run. Each is one tool call and reports its failure. */
import { methods } from '@agentclientprotocol/sdk';
import type { ClientCapabilities, PermissionOption, TerminalExitStatus, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandLine } from './command';
import type { Edit } from './edit';
import { text } from './turn';
import type { Turn } from './turn';

const OPTIONS: PermissionOption[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'allow_always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

const HEAD_LINES = 20;
const OUTPUT_LIMIT = 64 * 1024;

export interface ReadResult {
  readonly content: string;
  readonly lines: number;
  /** True when the client's text differs from the file on disk; undefined when there is no file. */
  readonly unsaved?: boolean;
}

export type EditOutcome = 'written' | 'rejected' | { readonly error: string };
export type RunOutcome = 'rejected' | { readonly error: string } | { readonly status: TerminalExitStatus; readonly output: string };

export class Tools {
  constructor(
    private readonly turn: Turn,
    private readonly cwd: string,
    private readonly capabilities: ClientCapabilities,
    /** The actions that the user allowed for the whole session. */
    private readonly granted: Set<string>,
    /** Files are read from the disk, so unsaved changes are unknown. */
    readonly readsDisk = false,
  ) {}

  get canRead(): boolean {
    return this.capabilities.fs?.readTextFile === true;
  }

  get canWrite(): boolean {
    return this.capabilities.fs?.writeTextFile === true;
  }

  get canRun(): boolean {
    return this.capabilities.terminal === true;
  }

  /** True when the client supports forms. */
  get canAsk(): boolean {
    return Boolean(this.capabilities.elicitation?.form);
  }

  get canOpenPages(): boolean {
    return Boolean(this.capabilities.elicitation?.url);
  }

  /** Returns the name of a file for display, relative to the session's folder where it is inside. */
  nameOf(file: string): string {
    const relative = path.relative(this.cwd, file);
    return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative.split(path.sep).join('/');
  }

  /** Reads through the client, so that unsaved changes are included. The disk is read only to find out whether there are any. */
  async read(file: string): Promise<ReadResult | { readonly error: string }> {
    const toolCallId = `read-${randomUUID()}`;
    await this.turn.startTool({
      toolCallId,
      title: `Read ${this.nameOf(file)}`,
      kind: 'read',
      status: 'in_progress',
      locations: [{ path: file }],
      rawInput: { path: file },
    });
    try {
      const { content } = await this.turn.wait(
        this.turn.client.request(methods.client.fs.readTextFile, { sessionId: this.turn.sessionId, path: file }),
      );
      const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
      const disk = await readFile(file, 'utf8').catch(() => undefined);
      await this.turn.updateTool({ toolCallId, status: 'completed', content: [text(quote(file, content))], rawOutput: { lines } });
      return { content, lines, ...(disk !== undefined && { unsaved: bare(disk) !== bare(content) }) };
    } catch (error) {
      return { error: await this.fail(toolCallId, error) };
    }
  }

  /** Proposes the edit as a diff, asks for permission, and writes through the client. */
  async edit(file: string, oldText: string, edit: Edit): Promise<EditOutcome> {
    const toolCallId = `edit-${randomUUID()}`;
    const locations = [{ path: file, line: edit.line }];
    const content = [{ type: 'diff' as const, path: file, oldText, newText: edit.newText }];
    await this.turn.startTool({ toolCallId, title: edit.title, kind: 'edit', status: 'pending', locations, content });
    if (!(await this.allowed('edit', { toolCallId, title: `${edit.title} in ${this.nameOf(file)}`, kind: 'edit', locations, content }))) {
      await this.turn.updateTool({ toolCallId, status: 'failed', rawOutput: { rejected: true } });
      return 'rejected';
    }
    try {
      await this.turn.updateTool({ toolCallId, status: 'in_progress' });
      await this.turn.wait(
        this.turn.client.request(methods.client.fs.writeTextFile, { sessionId: this.turn.sessionId, path: file, content: edit.newText }),
      );
      await this.turn.updateTool({ toolCallId, status: 'completed' });
      return 'written';
    } catch (error) {
      return { error: await this.fail(toolCallId, error, content) };
    }
  }

  /**
   * Runs a command in the client's terminal and releases the terminal.
   * @param harmless our own command, which only prints something and needs no permission
   */
  async run(commandLine: CommandLine, harmless: boolean): Promise<RunOutcome> {
    const { command, args, shown } = commandLine;
    const toolCallId = `run-${randomUUID()}`;
    await this.turn.startTool({ toolCallId, title: shown, kind: 'execute', status: 'pending', rawInput: { command, args } });
    if (
      !harmless &&
      !(await this.allowed(`run ${shown}`, { toolCallId, title: `Run ${shown}`, kind: 'execute', rawInput: { command, args } }))
    ) {
      await this.turn.updateTool({ toolCallId, status: 'failed', rawOutput: { rejected: true } });
      return 'rejected';
    }
    try {
      const terminal = await this.turn.client.createTerminal({
        sessionId: this.turn.sessionId,
        command,
        ...(args && { args: [...args] }),
        cwd: this.cwd,
        outputByteLimit: OUTPUT_LIMIT,
      });
      // Stop must not leave the command running. Releasing a terminal ends its command.
      const ended = this.turn.onEnd(() => terminal.release());
      await this.turn.updateTool({ toolCallId, status: 'in_progress', content: [{ type: 'terminal', terminalId: terminal.id }] });
      await this.turn.wait(terminal.waitForExit());
      const { output, exitStatus } = await this.turn.wait(terminal.currentOutput());
      const status = exitStatus ?? {};
      await this.turn.updateTool({ toolCallId, status: status.exitCode === 0 ? 'completed' : 'failed', rawOutput: { ...status } });
      ended();
      await terminal.release();
      return { status, output };
    } catch (error) {
      return { error: await this.fail(toolCallId, error) };
    }
  }

  private async allowed(grant: string, toolCall: ToolCallUpdate): Promise<boolean> {
    if (this.turn.settings.mode === 'auto' || this.granted.has(grant)) {
      return true;
    }
    const { outcome } = await this.turn.wait(
      this.turn.client.request(
        methods.client.session.requestPermission,
        { sessionId: this.turn.sessionId, toolCall, options: OPTIONS },
        { cancellationSignal: this.turn.signal },
      ),
    );
    if (outcome.outcome !== 'selected') {
      return false;
    }
    if (outcome.optionId === 'allow_always') {
      this.granted.add(grant);
    }
    return outcome.optionId === 'allow' || outcome.optionId === 'allow_always';
  }

  /** Marks the tool call as failed and returns the message. Rethrows the end of a cancelled turn. */
  private async fail(
    toolCallId: string,
    error: unknown,
    before: { type: 'diff'; path: string; oldText: string; newText: string }[] = [],
  ): Promise<string> {
    const message = error instanceof Error ? error.message : String(error);
    await this.turn.updateTool({ toolCallId, status: 'failed', content: [...before, text(message)] });
    return message;
  }
}

/** Ignores line ends and a byte order mark, which users do not regard as unsaved changes. */
function bare(value: string): string {
  return value.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

/** Returns the head of a file as a code block that its own backticks cannot close. */
function quote(file: string, content: string): string {
  const lines = content.split('\n');
  const head = lines.slice(0, HEAD_LINES).join('\n').replace(/\n$/, '');
  const fence = '`'.repeat(Math.max(3, ...[...head.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const more = lines.length > HEAD_LINES ? `\n\n… ${lines.length - HEAD_LINES} more lines` : '';
  return `${fence}${path.extname(file).slice(1)}\n${head}\n${fence}${more}`;
}
