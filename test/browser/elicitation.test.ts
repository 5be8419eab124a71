/** Elicitation forms: how they are shown, checked and answered. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { chooseOption } from './support/configOptions';
import { message } from '../support/events';
import { elicitations, form, list, text } from './support/elicitation';
import { eachInItsOwnView, type View } from './support/view';

describe('elicitation of a form', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const { ask, submit, answers, focused } = elicitations(() => view);
  const described = (control: Locator) =>
    control.evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    );

  it('names the agent and the purpose, starts with the defaults, sends the values, and then shows them', async () => {
    const card = await ask(
      {
        mode: 'form',
        title: 'Setup',
        description: 'Once only.',
        fields: [
          text('name', { title: 'Project Name', description: 'Also the folder', required: true, defaultValue: 'greeter' }),
          text('mail', { title: 'Mail', format: 'email' }),
          text('day', { title: 'Day', format: 'date', defaultValue: '2026-01-31' }),
          { name: 'port', title: 'Port', type: 'integer', required: false, minimum: 1024, defaultValue: 3000 },
          { name: 'log', title: 'Write a log', type: 'boolean', required: false, defaultValue: true },
          {
            name: 'how',
            title: 'How',
            type: 'choice',
            required: false,
            choices: [
              { value: 'x', title: 'Carefully', description: 'Slow.' },
              { value: 'y', title: 'Fast' },
            ],
            defaultValue: 'x',
          },
          {
            name: 'licence',
            title: 'Licence',
            type: 'choice',
            required: false,
            choices: list('a', 'b', 'c', 'd', 'e', 'f', 'g'),
            defaultValue: 'c',
          },
          {
            name: 'targets',
            title: 'Targets',
            type: 'choices',
            required: false,
            choices: list('Linux', 'macOS', 'Windows'),
            defaultValue: ['macOS'],
          },
        ],
      },
      'Please configure\nIt takes a minute.',
    );
    assert.equal(await view.page.getByRole('group', { name: 'Please configure', exact: true }).count(), 1);
    for (const words of ['Demo Agent needs your input', 'It takes a minute.', 'Setup', 'Once only.', 'Slow.']) {
      await card.getByText(words, { exact: true }).waitFor();
    }
    const name = card.getByRole('textbox', { name: 'Project Name', exact: true });
    assert.equal(await name.inputValue(), 'greeter');
    assert.equal(await name.getAttribute('aria-required'), 'true');
    assert.equal(await described(name), 'Also the folder');
    await card.getByText('(required)').waitFor();
    await name.fill('Größe 👍');
    await card.getByRole('checkbox', { name: 'Write a log' }).uncheck();
    await card.getByRole('radiogroup', { name: 'How' }).getByRole('radio', { name: 'Fast' }).check();
    await chooseOption(view.page, 'Licence', 'g');
    await card.getByRole('group', { name: 'Targets' }).getByRole('checkbox', { name: 'Linux' }).check();
    await submit(card).click();
    const content = { name: 'Größe 👍', day: '2026-01-31', port: 3000, log: false, how: 'y', licence: 'g', targets: ['Linux', 'macOS'] };
    assert.deepEqual(await answers(), [{ type: 'answer_elicitation', requestKey: 'e1', action: 'accept', content }]);
    await view.happen({ type: 'elicitation_resolved', requestKey: 'e1', outcome: 'accepted', content });
    await card.getByText('You answered').waitFor();
    const rows = await card.locator('.answers > div').allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.split('\n').join(': ')),
      ['Project Name: Größe 👍', 'Day: 2026-01-31', 'Port: 3000', 'Write a log: No', 'How: Fast', 'Licence: g', 'Targets: Linux, macOS'],
    );
    assert.equal(await card.getByRole('button').count(), 0);
  });

  it('lists many choices as the composer does, with descriptions, a filter, and none at all', async () => {
    const choices = Array.from({ length: 1500 }, (_, index) => ({
      value: `v${index % 1499}`,
      title: `Choice ${index}`,
      description: `About ${index}`,
    }));
    const card = await ask(
      form(text('name', { title: 'Name' }), {
        name: 'pick',
        title: 'Pick',
        type: 'choice',
        required: true,
        choices,
        defaultValue: 'v1400',
      }),
    );
    const select = card.getByRole('combobox', { name: 'Pick', exact: true });
    const filter = view.page.getByRole('combobox', { name: 'Filter' });
    const list = view.page.getByRole('listbox', { name: 'Pick', exact: true });
    assert.equal(await card.locator('select').count(), 0);
    assert.equal(await select.getAttribute('aria-required'), 'true');
    assert.equal(await select.innerText(), 'Choice 1400');
    await card.getByText('About 1400').waitFor();
    await select.press('Enter');
    assert.equal(await list.getByRole('option', { selected: true }).innerText(), 'Choice 1400\nAbout 1400');
    // The list is above everything, and nothing clips it.
    const isOnTop = await list.getByRole('option', { selected: true }).evaluate((row) => {
      const { left, top, width, height } = row.getBoundingClientRect();
      return row.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    assert.ok(isOnTop);
    // Enter in the filter chooses and does not submit; Escape leaves the list without a choice.
    await filter.fill('about 1498');
    await filter.press('Enter');
    assert.equal(await select.innerText(), 'Choice 1498');
    await select.press('ArrowDown');
    await filter.press('Escape');
    assert.equal(await select.evaluate((element) => element === document.activeElement), true);
    assert.deepEqual(await view.posted('answer_elicitation'), []);
    await submit(card).click();
    assert.deepEqual((await answers())[0]?.content, { pick: 'v1498' });
  });

  it('goes to a required list that was left empty', async () => {
    const choices = list('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const card = await ask(form({ name: 'pick', title: 'Pick', type: 'choice', required: true, choices, defaultValue: 'b' }));
    const select = card.getByRole('combobox', { name: 'Pick', exact: true });
    await chooseOption(view.page, 'Pick', 'No answer');
    await submit(card).click();
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    assert.equal(await select.getAttribute('aria-invalid'), 'true');
    assert.notEqual(await described(select), '');
    await select.press('d');
    await view.page.getByRole('listbox', { name: 'Pick' }).waitFor();
    await select.press('Enter');
    await submit(card).click();
    assert.deepEqual((await answers())[0]?.content, { pick: 'd' });
  });

  it('sends nothing that is invalid, explains it beside the field, and focuses the first invalid one', async () => {
    const card = await ask(
      form(text('free', { title: 'Free' }), text('mail', { title: 'Mail', format: 'email' }), {
        name: 'port',
        title: 'Port',
        type: 'integer',
        required: true,
      }),
    );
    const [mail, port] = [card.getByLabel('Mail'), card.getByLabel('Port')];
    await mail.fill('ada');
    assert.equal(await mail.getAttribute('aria-invalid'), 'false', 'nothing is said while it is typed');
    await port.fill('1.5');
    await card.getByText('Enter an email address, for example name@example.com.').waitFor();
    await submit(card).click();
    await view.page.waitForFunction(() => document.activeElement?.id === 'elicitation:e1/1');
    assert.match(await described(mail), /Enter an email address/);
    assert.match(await described(port), /Enter a whole number\./);
    assert.deepEqual(
      [
        await mail.getAttribute('aria-invalid'),
        await port.getAttribute('aria-invalid'),
        await card.getByLabel('Free').getAttribute('aria-invalid'),
      ],
      ['true', 'true', 'false'],
    );
    await mail.fill('ada@example.com');
    assert.equal(await mail.getAttribute('aria-invalid'), 'false', 'what was wrong is looked at again at once');
    await port.fill('');
    await submit(card).click();
    await card.getByText('An answer is required.').waitFor();
    assert.equal((await view.posted('answer_elicitation')).length, 0);
    await port.fill('80');
    await submit(card).click();
    assert.deepEqual((await answers())[0]!.content, { mail: 'ada@example.com', port: 80 });
  });

  it('shows the host’s errors and lets the user send values that could not be checked', async () => {
    const card = await ask(form(text('a', { title: 'A', pattern: '^x' }), text('b', { title: 'B', pattern: '(' })));
    await card.getByLabel('A', { exact: true }).fill('y');
    await card.getByLabel('B', { exact: true }).fill('z');
    await submit(card).click();
    await answers(1);
    await view.send({
      type: 'elicitation_problems',
      requestKey: 'e1',
      problems: [
        { name: 'a', code: 'pattern' },
        { name: 'b', code: 'pattern_unknown' },
      ],
    });
    await card.getByText('Value must match the pattern: ^x').waitFor();
    await card.getByText("Couldn't check this").waitFor();
    await view.page.waitForFunction(() => document.activeElement?.id === 'elicitation:e1/0');
    assert.equal(await card.getByLabel('B', { exact: true }).getAttribute('aria-invalid'), 'false');
    await card.getByLabel('A', { exact: true }).fill('xy');
    await submit(card).click();
    assert.deepEqual((await answers(2))[1]!.content, { a: 'xy', b: 'z' });
  });

  it('distinguishes a refusal from no answer, and sends neither twice', async () => {
    for (const [name, action] of [
      ['Decline', 'decline'],
      ['Dismiss', 'cancel'],
    ] as const) {
      const card = await ask(form(text('a', { required: true })), 'M', action);
      await card.getByRole('textbox').fill('typed');
      await card.getByRole('button', { name, exact: true }).dblclick();
    }
    assert.deepEqual(await answers(2), [
      { type: 'answer_elicitation', requestKey: 'decline', action: 'decline' },
      { type: 'answer_elicitation', requestKey: 'cancel', action: 'cancel' },
    ]);
  });

  it('reports an incomplete date', async () => {
    const card = await ask(form(text('day', { title: 'Day', format: 'date' })));
    await card.getByLabel('Day').focus();
    await view.page.keyboard.type('12');
    await submit(card).click();
    await card.getByText('Enter a full date, for example 2026-01-31.').waitFor();
    assert.equal((await view.posted('answer_elicitation')).length, 0);
  });

  it('offers many choices behind a filter, and clears an optional one', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `Choice ${index}`);
    const card = await ask(
      form(
        { name: 'many', title: 'Many', type: 'choices', required: false, choices: list(...many) },
        { name: 'one', title: 'One', type: 'choice', required: false, choices: list('x', 'y') },
      ),
    );
    assert.equal(await card.getByRole('checkbox').count(), 100);
    await card.getByText('200 more. Filter to see them.').waitFor();
    await card.getByLabel('Choice 7', { exact: true }).check();
    await card.getByRole('textbox', { name: 'Filter Many' }).fill('choice 299');
    await view.page.keyboard.press('Enter');
    await card.getByLabel('Choice 299').check();
    await card.getByText('2 selected').waitFor();
    await card.getByRole('radio', { name: 'y' }).check();
    await card.getByRole('button', { name: 'Clear selection' }).click();
    assert.equal(await focused(), 'elicitation:e1/1/0');
    await submit(card).click();
    assert.deepEqual((await answers())[0]!.content, { many: ['Choice 7', 'Choice 299'] });
  });

  it('shows the agent’s text as plain text, whatever it contains', async () => {
    const trick = 'safe \u202Egpj.exe https://evil.example <b>bold</b>';
    const choice = { value: 'v', title: trick, description: trick };
    const card = await ask(
      {
        mode: 'form',
        title: trick,
        description: trick,
        fields: [
          text('__proto__', { title: trick, description: trick }),
          { name: 'c', type: 'choice', required: false, choices: [choice] },
          { name: 'toString', type: 'choices', required: false, choices: [choice] },
          text('', { title: ' ' }),
        ],
      },
      `${trick}\n${'long '.repeat(50_000)}`,
    );
    const words = await card.innerText();
    assert.ok(!words.includes('\u202E') && words.includes('⟨U+202E⟩') && words.length < 60_000);
    assert.ok((await card.getAttribute('aria-label'))!.length <= 200);
    assert.equal(await card.locator('a, b, [href]').count(), 0);
    await card.getByRole('textbox').first().fill('p');
    await card.getByRole('checkbox').check();
    await submit(card).click();
    await answers();
    const sent = await view.page.evaluate(() =>
      JSON.stringify(window.playground.stage.posted.findLast(({ type }) => type === 'answer_elicitation')),
    );
    assert.equal(sent, '{"type":"answer_elicitation","requestKey":"e1","action":"accept","content":{"__proto__":"p","toString":["v"]}}');
  });

  it('leaves Send and Stop the only buttons of their names, and is announced politely', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' });
    const card = await ask(form(text('a')), 'Which \u202Ename?');
    await submit(card).waitFor();
    assert.equal(await view.page.getByRole('button', { name: 'Stop', exact: true }).count(), 1);
    assert.equal(await view.page.getByRole('button', { name: 'Send', exact: true }).count(), 0);
    await view.page.waitForFunction(() =>
      document.querySelector('[role=alert]')!.textContent!.includes('Demo Agent needs your input: Which ⟨U+202E⟩name?'),
    );
    const waits = view.page.getByText('Waiting for your answer');
    await waits.waitFor({ state: 'hidden' });
    // Once the form is out of view, a button leads to it.
    await view.happen(...Array.from({ length: 40 }, (_, index) => message(`More ${index}\n\nand more`, `m${index}`, 'agent')));
    await waits.click();
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('data-entry-id')?.startsWith('elicitation:'));
    await waits.waitFor({ state: 'hidden' });
  });

  it('shows how it ended when the user did not answer', async () => {
    for (const [outcome, words] of [
      ['declined', 'You declined'],
      ['cancelled', 'Not answered'],
      ['withdrawn', 'Withdrawn by the agent'],
      ['lost', 'Canceled: connection lost'],
    ] as const) {
      const card = await ask(form(text('a')), 'M', outcome);
      await card.getByRole('textbox').focus();
      await view.happen({ type: 'elicitation_resolved', requestKey: outcome, outcome });
      await card.getByText(words, { exact: true }).waitFor();
      assert.equal(await card.getByRole('textbox').count(), 0);
      assert.equal(await focused(), `elicitation:${outcome}`);
    }
  });
});
