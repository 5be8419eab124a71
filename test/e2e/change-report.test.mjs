// A turn's files open as diffs. The user's undo is a chip of the next message, which opens the undone change. Pictures go to
// test-results/change-report/.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from './agents.mjs';
import { openWorkspace, opens, runCommands } from './stage.mjs';

const before = Array.from({ length: 12 }, (_, index) => `line ${index}\n`).join('');
const after = before.replace('line 2\n', 'LINE 2\n').replace('line 9\n', 'LINE 9\n');

const agents = {
  Teller: scripted({ initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true }, 'change-report'),
};

describe('changes that the user undid', () => {
  let window;
  let folder;
  opens(async () => {
    ({ window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } }));
  });

  it('are a chip of the next message; a turn shows its files from any author', async () => {
    const file = join(folder, 'told.txt');
    const difference = (title) => window.page.locator('.part.editor .tabs-container .tab').filter({ hasText: title }).first();
    writeFileSync(file, before);
    const conversation = await newSession(window, 'Teller');
    await conversation.prompt(script({ say: 'Nothing yet.' }));
    await conversation.turnEnd();
    await conversation.prompt(
      script({ sleep: 1500 }, { shell: `printf '${after.replaceAll('\n', '\\n')}' > '${file}'` }, { say: 'Changed.' }),
    );
    await conversation.says('Changed.');
    const files = conversation.frame.getByRole('log').getByRole('button', { name: '1 file changed' });
    await files.click();
    await conversation.frame.getByRole('button', { name: 'told.txt', exact: true }).click();
    await difference('told.txt (Changes of This Turn)').waitFor();
    await window.page.locator('.part.editor .monaco-diff-editor .view-line').first().waitFor();
    await window.screenshot('change-report/turn');

    await window.openFile('told.txt');
    await window.page.keyboard.press('Control+Home');
    await window.command('ACP: Go to Next Change to Review');
    await window.command('ACP: Undo Change');
    const chip = () => conversation.frame.getByRole('button', { name: '1 change undone in told.txt', exact: true });
    await chip().waitFor();
    await window.screenshot('change-report/chip');
    await chip().click();
    await difference("told.txt (Agent's Version and Yours)").waitFor();
    await window.screenshot('change-report/chip-opened');

    await runCommands('acpHost.endSession');
  });

  it('leave no chip behind when the editor takes the revert of a block back', async () => {
    const file = join(folder, 'block.txt');
    writeFileSync(file, before);
    const conversation = await newSession(window, 'Teller');
    await conversation.prompt(script({ say: 'Nothing yet.' }));
    await conversation.turnEnd();
    const inserted = before.replace('line 3\n', 'line 3\nimport all\n\n');
    await conversation.prompt(
      script({ sleep: 1500 }, { shell: `printf '${inserted.replaceAll('\n', '\\n')}' > '${file}'` }, { say: 'Inserted.' }),
    );
    await conversation.says('Inserted.');
    const bar = conversation.frame.getByRole('group', { name: 'Changes to review' });
    await bar.getByText('1 file changed').waitFor();
    await conversation.frame.getByRole('button', { name: 'Review', exact: true }).click();
    const line = window.page.locator('.part.editor .multiDiffEditor .modified-in-monaco-diff-editor .view-line', { hasText: 'import all' });
    await line.first().click();
    const revert = window.page
      .locator('.multiDiffEditor .gutterItem')
      .getByRole('button', { name: /Revert/ })
      .first();
    await revert.hover({ force: true });
    await revert.click({ force: true });
    await line.first().waitFor({ state: 'detached' });
    const chip = () => conversation.frame.getByRole('button', { name: /^1 change \w+ in block.txt/ });
    await chip().waitFor();
    await window.screenshot('change-report/reverted');
    await window.page.keyboard.press('Control+z');
    await line.first().waitFor();
    await chip().waitFor({ state: 'detached', timeout: 10_000 });
    await bar.getByText('+2').waitFor();
    await window.screenshot('change-report/back');
  });

  it('come after a turn that lists its files while it runs, and opens them with the changes marked', async () => {
    const file = join(folder, 'running.txt');
    const go = `${folder}-go-on`;
    writeFileSync(file, before);
    const conversation = await newSession(window, 'Teller');
    await conversation.prompt(script({ say: 'Nothing yet.' }));
    await conversation.turnEnd();
    const call = { toolCallId: 'edit', title: 'Edit running.txt', kind: 'edit', locations: [{ path: file }] };
    const content = [{ type: 'diff', path: file, oldText: before, newText: after }];
    await conversation.prompt(
      script(
        { sleep: 1500 },
        { tool: { ...call, status: 'in_progress' } },
        { sleep: 300 },
        { shell: `printf '${after.replaceAll('\n', '\\n')}' > '${file}'` },
        { toolUpdate: { toolCallId: 'edit', status: 'completed', content } },
        { waitFile: go },
      ),
    );
    const running = conversation.frame.getByRole('group', { name: 'Changes of the running turn' });
    await running.getByRole('button', { name: '1 file changed so far' }).click();
    await running.getByRole('button', { name: 'running.txt', exact: true }).click();
    await window.page.locator('.part.editor .codelens-decoration', { hasText: 'Turn is running' }).first().waitFor({ timeout: 15_000 });
    await window.screenshot('change-report/running');
    writeFileSync(go, '');
    await conversation.turnEnd();
    const bar = conversation.frame.getByRole('group', { name: 'Changes to review' });
    await bar.getByText('1 file changed').waitFor();
    await running.waitFor({ state: 'detached' });
    await window.page.locator('.part.editor .codelens-decoration', { hasText: 'Keep' }).first().waitFor({ timeout: 15_000 });
    await window.screenshot('change-report/running-ended');
  });
});
