// Presets in the real window: saved from the options of a session, offered where an agent is picked, and started without a question.
import assert from 'node:assert/strict';
import { chooseOption, chosenOption } from '../harness/lib/configOptions.mjs';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { scripted } from './agents.mjs';
import { changeSettings, clearWindow, openWorkspace, opens, startCommand } from './stage.mjs';

const select = (id, name, category, currentValue, values) => ({
  id,
  name,
  category,
  type: 'select',
  currentValue,
  options: values.map((value) => ({ value, name: value[0].toUpperCase() + value.slice(1) })),
});
const agents = {
  Modal: scripted({
    new: {
      configOptions: [
        select('model', 'Model', 'model', 'small', ['small', 'large']),
        select('effort', 'Effort', 'thought_level', 'low', ['low', 'high']),
      ],
    },
  }),
};

describe('a preset', () => {
  let window;

  const open = async () => {
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents, 'acpHost.presets': {}, 'acpHost.defaultPreset': '' } }));
  };
  opens(open);
  beforeEach(clearWindow);

  const has = async ({ frame }, model, effort, mode) => {
    const shown = async () => [
      await chosenOption(frame, 'Model'),
      await chosenOption(frame, 'Effort'),
      (await frame.getByRole('combobox', { name: 'Permission mode' }).innerText()).trim(),
    ];
    await until(`${model}, ${effort}, ${mode}`, async () => String(await shown()) === String([model, effort, mode]));
  };
  const picked = async (...rows) => {
    await startCommand('acpHost.newSession');
    for (const row of rows) await window.pickRow(row);
    await window.panel();
    return new Conversation(window);
  };

  it('is saved from the options, and starts sessions with them', async () => {
    const conversation = await newSession(window, 'Modal');
    const { frame } = conversation;
    await chooseOption(frame, 'Model', 'Large');
    await chooseOption(frame, 'Permission mode', 'Accept edits');
    await has(conversation, 'Large', 'Low', 'Accept edits');
    await frame.getByRole('button', { name: 'Presets', exact: true }).click();
    await frame.getByRole('menuitem', { name: 'Save as Preset…' }).click();
    const input = window.page.locator('.quick-input-widget:visible input').first();
    await input.waitFor();
    assert.equal(await input.inputValue(), 'Modal · Large');
    await input.fill('Review');
    await window.page.keyboard.press('Enter');
    await window.notification('Saved the preset Review.');
    // A new session begins with the last choices, which the preset replaces.
    await chooseOption(frame, 'Model', 'Small');
    await chooseOption(frame, 'Effort', 'High');
    await has(conversation, 'Small', 'High', 'Accept edits');
    await clearWindow();
    await startCommand('acpHost.newSession');
    const rows = await window.quickPickRows();
    assert.ok(rows.includes('Review') && rows.includes('Modal'), rows.join());
    await window.screenshot('presets/pick');
    await window.pickRow('Review');
    await window.panel();
    await has(new Conversation(window), 'Large', 'Low', 'Accept edits');
  });

  it('starts with the parts that exist, and names the others', async () => {
    const presets = { Broken: { agent: 'Gone', options: { model: 'large', nothing: 'x' } } };
    await changeSettings({ 'acpHost.agents': agents, 'acpHost.presets': presets });
    const conversation = await picked('Broken', 'Modal');
    await conversation.frame.getByText('The preset Broken was applied in part. Not available here: Gone, nothing.').first().waitFor();
    assert.equal(await chosenOption(conversation.frame, 'Model'), 'Large');
  });

  it('changes the session in front', async () => {
    const presets = { Deep: { agent: 'Modal', options: { model: 'large', effort: 'high' }, permissionMode: 'planOnly' } };
    await changeSettings({ 'acpHost.agents': agents, 'acpHost.presets': presets });
    const conversation = await newSession(window, 'Modal');
    await chooseOption(conversation.frame, 'Model', 'Small');
    await conversation.frame.getByRole('button', { name: 'Presets', exact: true }).click();
    await conversation.frame.getByRole('menuitem', { name: 'Presets…' }).click();
    await window.pickRow('Deep');
    await has(conversation, 'Large', 'High', 'Plan only');
  });

  it('is the default of a folder', async () => {
    const presets = { Deep: { agent: 'Modal', options: { model: 'large', effort: 'high' } } };
    await changeSettings({ 'acpHost.agents': agents, 'acpHost.presets': presets, 'acpHost.defaultPreset': 'Deep' });
    const conversation = await picked();
    await has(conversation, 'Large', 'High', 'Ask');
  });

  it('is renamed, used for new sessions and deleted in the list', async () => {
    const presets = { Deep: { agent: 'Modal', options: { model: 'large' } }, Other: { agent: 'Modal', options: {} } };
    await changeSettings({ 'acpHost.agents': agents, 'acpHost.presets': presets, 'acpHost.defaultPreset': '' });
    const conversation = await newSession(window, 'Modal');
    await conversation.frame.getByRole('button', { name: 'Presets', exact: true }).click();
    await conversation.frame.getByRole('menuitem', { name: 'Presets…' }).click();
    const row = (name) => window.page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: name });
    const press = async (name, button) => {
      await row(name).hover();
      await row(name).getByRole('button', { name: button }).click();
    };
    await press('Deep', 'Use for New Sessions');
    await row('Used for new sessions').waitFor();
    await press('Deep', 'Rename');
    const input = window.page.locator('.quick-input-widget:visible input').first();
    await until('the name', async () => (await input.inputValue()) === 'Deep');
    await input.fill('Thorough');
    await window.page.keyboard.press('Enter');
    await row('Thorough').filter({ hasText: 'Used for new sessions' }).waitFor();
    await window.screenshot('presets/list');
    await press('Other', 'Delete');
    await window.pressButton('Delete');
    await row('Thorough').waitFor();
    assert.equal(await row('Other').count(), 0);
    await window.page.keyboard.press('Escape');
    await clearWindow();
    assert.equal(await chosenOption((await picked()).frame, 'Model'), 'Large');
  });
});
