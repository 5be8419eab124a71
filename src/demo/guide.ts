/** The guide's answers. It follows a script, says so, and never claims to have done something that it did not do. */
import { askStep } from './ask';
import { parseCommand } from './command';
import { readStep, editStep, runStep } from './steps';
import type { ScriptedGuide } from './steps';
import type { Intent } from './intent';
import { findTarget } from './target';

const AGENT_INFO =
  "I'm the **demo agent** that comes with ACP Host: a *scripted guide*, not a language model. I work offline and without an account.";

const HELP = `Ask in your own words or use a slash command:

| | |
|---|---|
| \`/tour\` | everything in one turn |
| \`/read [file]\` | read a file through the editor, including unsaved changes |
| \`/edit [file]\` | propose a small edit, ask, write |
| \`/run [command]\` | run a command in a terminal |
| \`/plan\` | show a plan and its progress |
| \`/form\` | ask you for input: a form, then a web page |

Below the input you can change my **mode** (*Ask first*, *Plan only*, *Auto*), my pace, whether I think aloud and whether I explain each step. **Stop** ends a turn at any point.

For real work, add an agent to the setting \`acpHost.agents\`.
`;

/** Answers one prompt. */
export async function answer(guide: ScriptedGuide, intent: Intent): Promise<void> {
  const { turn } = guide;
  if (intent.unseen.length > 0) {
    await turn.say(`You sent ${intent.unseen.join(' and ')}. It arrived, but a script can't look at it.\n\n`);
  }
  switch (intent.topic) {
    case 'tour':
      return tour(guide, intent);
    case 'read':
      return read(guide, intent);
    case 'edit':
      return edit(guide, intent);
    case 'run':
      await turn.think(
        intent.command === undefined
          ? 'No command given, so I pick one that only prints something.'
          : 'The user gave a command. I run it in a terminal.',
      );
      return runStep(guide, intent.command === undefined ? undefined : parseCommand(intent.command));
    case 'plan':
      return plan(guide);
    case 'form':
      return askStep(guide);
    case 'help':
      return turn.say(`${AGENT_INFO}\n\n${HELP}`);
    case 'greeting':
      return turn.say(`Hello! ${AGENT_INFO} Type \`/tour\` to see everything on your own file, or \`/help\`.`);
    case 'other':
      await turn.say(`${AGENT_INFO} I don't have an answer to that, so here's the tour instead.\n\n`);
      return tour(guide, intent);
  }
}

async function tour(guide: ScriptedGuide, intent: Intent): Promise<void> {
  const { turn, tools } = guide;
  if (intent.topic === 'tour') {
    await turn.say(`${AGENT_INFO}\n\n`);
  }
  await turn.explain('First, a plan. It updates as I go.\n\n');
  await turn.think(
    'The user wants to see what this client can do. One file is enough: read it, propose one small edit, run one harmless command.',
  );
  await turn.plan(
    'Read a file, including unsaved changes',
    'Propose a small edit and ask before writing',
    'Run a command in a terminal',
    'Sum up',
  );
  await turn.advance();
  const file = await findTarget(guide.cwd, intent.target, 'source');
  const read = file === undefined ? undefined : await readStep(guide, file);
  if (file === undefined) {
    await turn.say('No file found in this folder. Attach one, or enter its path.\n\n');
  }
  await turn.advance();
  if (file !== undefined && read) {
    await editStep(guide, file, read.content);
  }
  await turn.advance();
  await runStep(guide, undefined);
  await turn.advance();
  await turn.say(
    `\n\nThat was the tour: streamed text, a thought, a plan${file === undefined ? '' : ', a file read and an edit proposed'}${tools.canRun ? ', a terminal' : ''}. `,
  );
  await turn.say('Try `/edit` on another file, change the mode below, or press **Stop** while I talk.');
  await turn.advance();
}

async function read(guide: ScriptedGuide, intent: Intent): Promise<void> {
  const { turn } = guide;
  const file = await findTarget(guide.cwd, intent.target, 'readme');
  if (file === undefined) {
    return turn.say('No file found in this folder. Attach one, or enter its path.');
  }
  await turn.think(`This is about ${guide.tools.nameOf(file)}. I read it through the client to include unsaved changes.`);
  const result = await readStep(guide, file);
  if (!result) {
    return;
  }
  if (/\bexplain|describe|summar/i.test(intent.text)) {
    await turn.say('\n\nWhat it *means* is beyond a script. ');
  }
  const headings = result.content.match(/^(?:#{1,3} .+|(?:export\s+)?(?:async\s+)?(?:function|class|def)\s+\w+)/gm) ?? [];
  if (headings.length > 0) {
    await turn.say(
      `\n\nIts outline:\n\n${headings
        .slice(0, 12)
        .map((each) => `- \`${each.replaceAll('`', '').trim()}\``)
        .join('\n')}\n`,
    );
  }
}

async function edit(guide: ScriptedGuide, intent: Intent): Promise<void> {
  const { turn } = guide;
  const file = await findTarget(guide.cwd, intent.target, 'source');
  if (file === undefined) {
    return turn.say('No file found in this folder. Attach one, or enter its path.');
  }
  await turn.think('Read the file as the editor shows it, propose an edit, then ask.');
  const result = await readStep(guide, file);
  if (!result) {
    return;
  }
  const comment = /\bcomment\b/i.test(intent.text) && intent.quoted !== intent.target ? intent.quoted : undefined;
  await editStep(guide, file, result.content, comment);
}

async function plan(guide: ScriptedGuide): Promise<void> {
  const { turn } = guide;
  await turn.say('This is what a plan looks like while an agent works. Nothing is changed this time.\n\n');
  await turn.plan('Understand the request', 'Find the files', 'Make the change', 'Check it');
  for (let step = 0; step < 5; step++) {
    await turn.advance();
    await turn.pause(400);
  }
  await turn.say('All four steps are done.');
}
