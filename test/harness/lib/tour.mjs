// The demo agent's tour for `npm start -- --check` and the README's pictures: performed, watched, and presentable.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './driver.mjs';
import { newSession, shows } from './journey.mjs';

const target = 'src/calc.js';

/**
 * Opens the folder, starts a session with the demo agent and answers its requests. Never throws.
 * @param prepare runs when the folder is open; `onPermission` runs while the request is pending.
 * @returns {Promise<{done: string[], missing: string[]}>} the observed steps, and the missing ones, in words.
 */
export async function demoTour(window, folder, { prepare = async () => {}, onPermission = async () => {} } = {}) {
  const done = [];
  const missing = [];
  let conversation;
  const step = async (what, work) => {
    try {
      if ((await work()) === false) throw new Error('not seen');
      done.push(what);
      return true;
    } catch (error) {
      missing.push(`${what}: ${error.message.split('\n')[0]}`);
      return false;
    }
  };

  const started = await step('"ACP: New Session" opened a session with the demo agent', async () => {
    await window.openFolder(folder);
    await prepare();
    await window.openFile(target);
    await window.typeInEditor('// not saved yet\n');
    conversation = await newSession(window, 'Demo');
  });
  if (!started) return { done, missing };

  const growth = conversation.watchGrowth();
  await step('the prompt was sent', () => conversation.prompt(`/tour ${target}`));
  await step('a permission was asked in a card and answered there', async () => {
    await conversation.permission('Fix add').first().waitFor({ timeout: 45_000 });
    if (onDisk(folder).includes('a + b')) throw new Error('the file was written before the answer');
    await onPermission(conversation);
    await conversation.answer('Fix add', 'Allow');
  });
  await step('the turn ended', () => conversation.turnEnd());
  const lengths = await growth.stop();
  await step(`the answer streamed (${lengths.length} steps seen)`, () => lengths.length >= 5);
  await step('the agent read the unsaved text', () => conversation.says('unsaved changes'));
  await step('the plan is shown', async () => (await conversation.planEntries()).some((entry) => entry.includes('Propose a small edit')));
  await step('the edit shows its diff', () => shows(conversation.toolCall('Fix add'), /return a - b;[\s\S]*return a \+ b;/));
  await step('the terminal output is shown', () => shows(conversation.toolCall('node --version'), /v\d+\.\d+\.\d+/));
  await step('the file on disk changed', () =>
    until('the edit on disk', () => onDisk(folder).includes('return a + b;') && onDisk(folder).endsWith('// not saved yet\n')),
  );
  return { done, missing };
}

function onDisk(folder) {
  return readFileSync(join(folder, target), 'utf8');
}
