/** A web page that an agent asks to open. */
import assert from 'node:assert/strict';
import { elicitations, page } from './support/elicitation';
import { eachInItsOwnView, type View } from './support/view';

describe('elicitation of a web page', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const { ask, answers, focused } = elicitations(() => view);
  const LONG = `https://agent.example.com/connect?a=${'x'.repeat(3000)}&redirect=https%3A%2F%2Fb.example`;

  it('shows the whole address with the site marked, and does not open it unasked', async () => {
    const card = await ask(page(LONG), 'Please authorize access.');
    await card.getByText('Demo Agent wants to open a web page').waitFor();
    const address = card.locator('.address');
    assert.equal(await address.innerText(), LONG);
    assert.equal(await address.locator('strong').innerText(), 'agent.example.com');
    assert.ok(
      await address.evaluate((element) => element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight),
      'the address is cut off',
    );
    assert.equal(await card.locator('a, [href], iframe, img').count(), 0);
    assert.equal(await card.locator('.address-warning').count(), 0);
    assert.equal((await view.posted('answer_elicitation')).length, 0);
    await card.getByRole('button', { name: 'Open agent.example.com in Browser' }).dblclick();
    assert.deepEqual(await answers(), [{ type: 'answer_elicitation', requestKey: 'e1', action: 'accept' }]);
  });

  it('can be opened again until the agent has finished it', async () => {
    const card = await ask(page('https://a.example/'));
    await view.happen({ type: 'elicitation_resolved', requestKey: 'e1', outcome: 'accepted' });
    await card.getByText('Waiting for a.example').waitFor();
    await card.getByRole('button', { name: 'Open Again' }).click();
    assert.deepEqual(await view.postedAtLeast('open_elicitation'), [{ type: 'open_elicitation', requestKey: 'e1' }]);
    await view.happen({ type: 'elicitation_completed', requestKey: 'e1' });
    await card.getByText('Finished', { exact: true }).waitFor();
    assert.equal(await card.getByRole('button').count(), 0);
    assert.equal(await focused(), 'elicitation:e1');
  });

  it('can be declined, dismissed, and retried when it could not be opened', async () => {
    const card = await ask(page('https://a.example/'));
    await card.getByRole('button', { name: 'Open a.example' }).click();
    await answers(1);
    await view.send({ type: 'elicitation_problems', requestKey: 'e1', problems: [] });
    await card.locator('button[aria-disabled=false]').first().waitFor();
    await card.getByRole('button', { name: 'Decline', exact: true }).click();
    await answers(2);
    await view.send({ type: 'elicitation_problems', requestKey: 'e1', problems: [] });
    await card.locator('button[aria-disabled=false]').first().waitFor();
    await card.getByRole('button', { name: 'Dismiss', exact: true }).click();
    assert.deepEqual(
      (await answers(3)).map(({ action }) => action),
      ['accept', 'decline', 'cancel'],
    );
  });

  it('warns of misleading addresses', async () => {
    const card = await ask(page('http://github.com@xn--gthub-n2e.com/login'));
    assert.equal(await card.locator('.address').innerText(), 'http://github.com@xn--gthub-n2e.com/login');
    const warnings = await card.locator('.address-warning').allInnerTexts();
    assert.equal(warnings.length, 3);
    assert.match(warnings[0]!, /only looks like "gіthub\.com"/);
    assert.match(warnings[1]!, /The site is xn--gthub-n2e\.com\./);
    assert.match(warnings[2]!, /isn't encrypted/);
    const plain = await ask(page('https://bücher.example/'), 'M', 'e2');
    assert.match(await plain.locator('.address-warning').innerText(), /stands for "bücher\.example"/);
    assert.equal(await plain.locator('.address strong').innerText(), 'xn--bcher-kva.example');
  });
});
