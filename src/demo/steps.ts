/** The guide's steps: each does one thing through the client and reports the result. */
import { harmlessCommand } from './command';
import type { CommandLine } from './command';
import { proposeEdit } from './edit';
import type { Edit } from './edit';
import type { ReadResult, Tools } from './tools';
import type { Turn } from './turn';

/** The objects that a step needs. */
export interface ScriptedGuide {
  readonly turn: Turn;
  readonly tools: Tools;
  /** The session's folder, absolute. */
  readonly cwd: string;
}

/** Undefined when the file could not be read. The user has then seen the reason. */
export async function readStep({ turn, tools }: ScriptedGuide, file: string): Promise<ReadResult | undefined> {
  const name = tools.nameOf(file);
  if (!tools.canRead) {
    await turn.say(`This client doesn't support reading files (\`fs.readTextFile\`), so I'm skipping \`${name}\`. `);
    return undefined;
  }
  await turn.explain(
    tools.readsDisk
      ? `I read \`${name}\` from the disk, because version 2 of the protocol has no files of the editor. `
      : `I read \`${name}\` through the editor, so I see what you see. `,
  );
  const result = await tools.read(file);
  if ('error' in result) {
    await turn.say(`I couldn't read \`${name}\`: ${result.error}\n\n`);
    return undefined;
  }
  const disk =
    result.unsaved === undefined
      ? 'is not on disk yet'
      : result.unsaved
        ? 'differs from the file on disk: you have **unsaved changes**, and I saw them'
        : 'is the same as on disk: no unsaved changes';
  const count = `\`${name}\` has **${result.lines} line${result.lines === 1 ? '' : 's'}**`;
  await turn.say(tools.readsDisk ? `${count}.\n\n` : `${count} and ${disk}.\n\n`);
  return result;
}

/** @param comment the user's own text for a comment */
export async function editStep(guide: ScriptedGuide, file: string, content: string, comment?: string): Promise<void> {
  const { turn, tools } = guide;
  const name = tools.nameOf(file);
  const edit = proposeEdit(file, content, comment);
  if (!edit) {
    await turn.say(`I don't have a small, safe edit for \`${name}\`. `);
    return;
  }
  await turn.say(`${edit.reason} `);
  if (turn.settings.mode === 'plan') {
    await describe(turn, name, edit);
    return;
  }
  if (!tools.canWrite) {
    await turn.say(`This client doesn't support writing files (\`fs.writeTextFile\`), so this stays a proposal. `);
    return;
  }
  await turn.explain(
    turn.settings.mode === 'auto' ? 'In *Auto* mode, I write without asking. ' : 'I propose the change and wait for your answer. ',
  );
  const outcome = await tools.edit(file, content, edit);
  if (outcome === 'written') {
    await turn.say(`\n\nWritten: \`${name}\`, line ${edit.line}. You can undo it in the editor.\n\n`);
  } else if (outcome === 'rejected') {
    await turn.say(`\n\nYou rejected the edit, so \`${name}\` was not changed.\n\n`);
  } else {
    await turn.say(`\n\nThe edit was **not** written: ${outcome.error}\n\n`);
  }
}

async function describe(turn: Turn, name: string, edit: Edit): Promise<void> {
  const line = edit.newText.split(/\r?\n/)[edit.line - 1] ?? '';
  await turn.say(
    `In *Plan only* mode, nothing is written. Line ${edit.line} of \`${name}\` would become:\n\n\`\`\`\n${line}\n\`\`\`\n\nSwitch to *Ask first* to let me do it.\n\n`,
  );
}

/** @param given the command that the user typed; without it, a command that only prints something */
export async function runStep({ turn, tools }: ScriptedGuide, given: CommandLine | undefined): Promise<void> {
  const line = given ?? harmlessCommand();
  if (turn.settings.mode === 'plan') {
    await turn.say(`In *Plan only* mode, nothing is run. The command would have been \`${line.shown}\`. `);
    return;
  }
  if (!tools.canRun) {
    await turn.say(`This client doesn't support terminals (\`terminal\`), so \`${line.shown}\` was not run. `);
    return;
  }
  if (!given) {
    await turn.explain("Next, a command in a terminal. It only prints something, so I don't ask. ");
  }
  const outcome = await tools.run(line, given === undefined);
  if (outcome === 'rejected') {
    await turn.say(`You rejected the command, so \`${line.shown}\` was not run. `);
  } else if ('error' in outcome) {
    await turn.say(`\`${line.shown}\` couldn't be run: ${outcome.error} `);
  } else {
    const { exitCode, signal } = outcome.status;
    const end = exitCode === 0 ? 'finished' : signal ? `was terminated by ${signal}` : `terminated with exit code ${exitCode ?? 'unknown'}`;
    await turn.say(`\`${line.shown}\` ${end}. `);
  }
}
