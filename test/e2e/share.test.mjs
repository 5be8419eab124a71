// A session shared in the real window, with a client of the official SDK attached.
import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { client, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { WebSocket } from 'ws';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { exactly } from '../harness/lib/see.mjs';
import { newestProcess, noKeeperLeft, script, scripted } from './agents.mjs';
import { changeSettings, clearWindow, openWorkspace, runCommands, startCommand, theStage } from './stage.mjs';

const ASK = {
  permission: {
    toolCall: { toolCallId: 'call', title: 'Run the tests', kind: 'execute' },
    options: [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
    ],
  },
};

/** Connects to the address. Rejects when it refuses. */
async function attach(url, token) {
  const heard = { text: '', questions: [], closed: false };
  const connection = client({ name: 'test' })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk') heard.text += update.content.text;
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      heard.questions.push(params.toolCall.title);
      return { outcome: { outcome: 'selected', optionId: 'allow' } };
    })
    .connect(createWebSocketStream(url, { WebSocket, headers: { Authorization: `Bearer ${token}` } }));
  void connection.closed.then(() => (heard.closed = true));
  await connection.agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'pixel', title: 'Pixel', version: '1' },
    clientCapabilities: {},
  });
  return { agent: connection.agent, heard, close: () => connection.close() };
}

/** Lets the window store its secrets over a reload. The server build asks for half of their key where only its product answers. */
async function keepSecrets(window) {
  await window.page.route('**/mint-key', (route) => route.fulfill({ body: Buffer.alloc(32) }));
}

/** The secrets of sharings that VS Code has stored, as texts. With the half of the key above, the other half is the key. */
async function secretsOf(window) {
  const sealed = Buffer.from((await window.page.evaluate(() => localStorage.getItem('secrets.provider'))) ?? '', 'base64');
  if (sealed.length === 0) return [];
  const decipher = createDecipheriv('aes-256-gcm', sealed.subarray(0, 32), sealed.subarray(32, 44)).setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed.subarray(44, -16)), decipher.final()]).toString('utf8');
  return Object.entries(JSON.parse(text)).flatMap(([key, value]) => (key.includes('acpHost.sharing.') ? [value] : []));
}

/** The files that show when sharing windows were there last. */
const beatsIn = (dir) =>
  readdirSync(join(dir, 'data'), { recursive: true, withFileTypes: true }).filter((file) => /[\\/]sharings$/.test(file.parentPath));

/** Starts a session with one answer, and shares it. Resolves when the page of the sharing is shown. */
async function shared(window, where, right) {
  const conversation = await newSession(window, 'Scripted');
  await conversation.prompt(script({ say: 'Said before.' }));
  await conversation.turnEnd();
  await startCommand('acpHost.shareSession');
  await window.pickRow(where);
  await window.pickRow(right);
  await window
    .frame()
    .getByRole('heading', { name: exactly('Shared Sessions'), level: 1 })
    .waitFor();
}

describe('a shared session', () => {
  it('is read and answered by another client, until the sharing stops', async () => {
    const { window } = await openWorkspace({ userSettings: { 'acpHost.agents': { Scripted: scripted() } } });
    await shared(window, 'This computer only', 'Read and answer');
    const heading = () => window.frame().getByRole('heading', { name: exactly('Shared Sessions'), level: 1 });
    const page = window.frame();
    const [address, token] = await page.locator('.share-text').allTextContents();
    assert.match(address, /^ws:\/\/127\.0\.0\.1:\d+\/acp$/);
    assert.equal(await page.getByRole('img', { name: /^QR code/ }).count(), 0);
    await window.screenshot('share/token');

    const pixel = await attach(address, token);
    const { sessions } = await pixel.agent.request(methods.agent.session.list, {});
    assert.equal(sessions.length, 1);
    const [{ sessionId, cwd }] = sessions;
    await pixel.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    assert.equal(pixel.heard.text, 'Said before.');
    await page.getByText('Pixel', { exact: true }).waitFor();

    const prompt = [{ type: 'text', text: script(ASK, { say: 'Said to both.' }) }];
    const { stopReason } = await pixel.agent.request(methods.agent.session.prompt, { sessionId, prompt });
    assert.equal(stopReason, 'end_turn');
    assert.deepEqual(pixel.heard.questions, ['Run the tests']);
    await until('the text at the client', () => pixel.heard.text.includes('Said to both.'));

    await page.getByRole('region', { name: 'Sessions' }).getByRole('button').first().click();
    await until('the chat', async () => (await heading().count()) === 0);
    const chat = window.frame();
    await chat.getByText('permission: selected allow').waitFor();
    await chat.getByText('Sent from Pixel').waitFor();
    await window.screenshot('share/chat');
    await chat.getByRole('button', { name: 'Shared: 1 client' }).click();
    await heading().waitFor();
    const again = window.frame();
    assert.equal(await again.getByText(token, { exact: true }).count(), 1, 'the page is still open, so the token is still there');
    await again.getByRole('button', { name: 'Stop Sharing', exact: true }).click();
    await again.getByText('No session is shared, and nothing listens for connections.').waitFor();
    await until('the end of the connection', () => pixel.heard.closed);
    await assert.rejects(attach(address, token));
    pixel.close();
    await clearWindow();
  });

  it('is opened at an address of the network by its fingerprint', async function () {
    const address = Object.values(networkInterfaces())
      .flat()
      .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
    if (address === undefined) this.skip();
    const agents = { Scripted: scripted() };
    const { window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } });
    await shared(window, address, 'Read and answer');
    const [url, certificateFingerprint, token] = await window.frame().locator('.share-text').allTextContents();
    assert.match(url, /^wss:/);
    await assert.rejects(attach(url, token), /self.signed/i);

    // The same window is the other end, too.
    await changeSettings({ 'acpHost.agents': { ...agents, Shared: { url, token: '${input:token}', certificateFingerprint } } });
    await startCommand('acpHost.openAgentSession');
    await window.pickRow('Shared');
    // The question covers the list, which comes back by itself.
    const question = window.page.locator('.quick-input-widget:visible').filter({ hasText: 'Enter token for Shared.' });
    await question.waitFor();
    await question.locator('input:visible').first().fill(token);
    await window.page.keyboard.press('Enter');
    const list = window.page.locator('.quick-input-widget:visible').filter({ hasText: 'Shared History' });
    await list.locator('.monaco-list-row').first().waitFor();
    const before = await window.frameName();
    const names = () => window.page.locator('iframe.webview.ready:visible').evaluateAll((frames) => frames.map(({ name }) => name));
    await until('the other panel', async () => {
      // The list fills while it is open, and takes no answer until then.
      if (await window.quickInputOpen()) await window.page.keyboard.press('Enter');
      return (await names()).some((name) => name !== before);
    });
    // The panel opens beside the page.
    await runCommands('workbench.action.closeEditorsInOtherGroups');
    await until('the other panel alone', async () => (await names()).length === 1 && (await names())[0] !== before);
    await window.panel();
    const other = new Conversation(window);
    await other.log.getByText('Said before.', { exact: true }).waitFor();
    await other.prompt(script({ say: 'Over the network.' }));
    await other.log.getByText('Over the network.', { exact: true }).waitFor();
    await clearWindow();
  });

  it('leads a new session to the shared one, which can only be read', async () => {
    const agents = { Scripted: scripted() };
    const { window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } });
    await shared(window, 'This computer only', 'Read only');
    const [url, token] = await window.frame().locator('.share-text').allTextContents();
    // Otherwise the session would open beside the page.
    await runCommands('workbench.action.closeActiveEditor');
    await changeSettings({ 'acpHost.agents': { ...agents, Shared: { url, token } } });
    await newSession(window, 'Shared');
    await window.frame().getByRole('group', { name: "Couldn't start a new session" }).waitFor();
    await window.screenshot('share/no-new-session');
    const before = await window.frameName();
    await window.frame().getByRole('button', { name: 'Browse Agent History…' }).click();
    await window.page
      .locator('.quick-input-widget:visible')
      .filter({ hasText: 'Shared History' })
      .locator('.monaco-list-row')
      .first()
      .waitFor();
    await until('the list', async () => {
      // The list fills while it is open, and takes no answer until then.
      if (await window.quickInputOpen()) await window.page.keyboard.press('Enter');
      return !(await window.quickInputOpen()) && (await window.frameName()) !== before;
    });
    const other = new Conversation(window);
    await other.log.getByText('Said before.', { exact: true }).waitFor();
    await window.frame().getByPlaceholder('You have read-only access to this session.').waitFor();
    await window.screenshot('share/read-only');
    await clearWindow();
  });

  it('goes on over a reload of the window, with the same token', async function () {
    this.timeout(180_000);
    const { dir, window: before } = await theStage();
    await keepSecrets(before);
    const { window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Scripted: scripted({}, 'shared') }, 'acpHost.keepAgentsRunning': 'reload' },
      prepare: (folder) => folder,
    });
    await shared(window, 'This computer only', 'Read and answer');
    const [address, token] = await window.frame().locator('.share-text').allTextContents();
    const pixel = await attach(address, token);
    const { sessions } = await pixel.agent.request(methods.agent.session.list, {});
    const [{ sessionId, cwd }] = sessions;
    await pixel.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    const prompt = (...steps) => ({ sessionId, prompt: [{ type: 'text', text: script(...steps) }] });
    const words = Array.from({ length: 100 }, (_, n) => [{ say: `w${n} ` }, { sleep: 100 }]).flat();
    const lost = assert.rejects(pixel.agent.request(methods.agent.session.prompt, prompt(...words, ASK, { say: 'Said after.' })));
    await until('the first words', () => pixel.heard.text.includes('w3 '));
    await until('the record', async () => (await secretsOf(window)).length === 1 && beatsIn(dir).length === 1);
    assert.ok(!(await secretsOf(window)).join().includes(token.slice(8)));
    await window.reload();
    await until('the end of the connection', () => pixel.heard.closed);
    await lost;

    let again;
    await until('the address again', async () => (again = await attach(address, token).catch(() => undefined)) !== undefined, {
      timeoutMs: 60_000,
    });
    await again.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    await until('the end of the turn', () => again.heard.text.includes('Said after.'), { timeoutMs: 60_000 });
    assert.deepEqual(
      again.heard.text.match(/w\d+/g),
      Array.from({ length: 100 }, (_, n) => `w${n}`),
    );
    assert.deepEqual(again.heard.questions, ['Run the tests']);
    const { stopReason } = await again.agent.request(methods.agent.session.prompt, prompt({ say: 'Said by the next window.' }));
    assert.equal(stopReason, 'end_turn');
    await until('the answer', () => again.heard.text.endsWith('Said by the next window.'));

    // The page is back, too, without the token.
    const page = window.frame();
    await page.getByRole('heading', { name: exactly('Shared Sessions'), level: 1 }).waitFor();
    await page.getByText('Pixel', { exact: true }).waitFor();
    assert.deepEqual(await page.locator('.share-text').allTextContents(), [address]);
    await page.getByText(`Starts with ${token.slice(0, 8)}`, { exact: false }).waitFor();
    await window.screenshot('share/reloaded');

    await page.getByRole('button', { name: 'Stop Sharing', exact: true }).click();
    await until('the end of the connection', () => again.heard.closed);
    await assert.rejects(attach(address, token), /ECONNREFUSED/);
    await until('the end of the record', async () => (await secretsOf(window)).length === 0 && beatsIn(dir).length === 0);
    await window.reload();
    await runCommands('workbench.action.focusActiveEditorGroup');
    // Longer than a window waits before it shares again.
    await new Promise((resolve) => setTimeout(resolve, 5000));
    await assert.rejects(attach(address, token), /ECONNREFUSED/);
    await runCommands('acpHost.endSession');
    await clearWindow();
    await noKeeperLeft(dir);
    await window.page.unroute('**/mint-key');
  });

  it('goes on after a crash of the extension host, whose pages say so and lead to the new host', async function () {
    this.timeout(240_000);
    const { dir, window: before } = await theStage();
    await keepSecrets(before);
    const { window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Scripted: scripted({}, 'crashed') }, 'acpHost.keepAgentsRunning': 'reload' },
      prepare: (folder) => folder,
    });
    await shared(window, 'This computer only', 'Read and answer');
    const [address, token] = await window.frame().locator('.share-text').allTextContents();
    await until('the record', async () => (await secretsOf(window)).length === 1 && beatsIn(dir).length === 1);
    process.kill(newestProcess('--type=extensionHost'), 'SIGKILL');

    // The page of the host that was killed is in front.
    const left = window.frame();
    await left.getByRole('button', { name: 'Stop Sharing', exact: true }).click();
    const line = left.getByRole('alert').filter({ hasText: 'Extension host not responding' });
    await line.waitFor({ timeout: 5000 });
    assert.equal(await left.getByText(token, { exact: true }).count(), 0, 'the token is still shown');
    await window.screenshot('share/crashed');
    await until(
      'the sharing of the next host',
      () =>
        attach(address, token).then(
          (again) => (again.close(), true),
          () => false,
        ),
      { timeoutMs: 60_000 },
    );
    const stale = await window.frameName();
    await line.getByRole('link', { name: 'Reopen Page' }).click();
    await until('the page of the next host', async () => (await window.frameName().catch(() => stale)) !== stale);
    await window
      .frame()
      .getByText(`Starts with ${token.slice(0, 8)}`, { exact: false })
      .waitFor();
    const tabs = (name) => window.page.locator('.part.editor .tabs-container').getByRole('tab', { name });
    await until('one tab of the page', async () => (await tabs(/Shared Sessions/).count()) === 1);
    await window.screenshot('share/crashed-reopened');

    // The chat of the host that was killed was in the background.
    await tabs(/^(?!Shared Sessions)/)
      .first()
      .click();
    await window.frame().getByRole('group', { name: 'Extension host not responding' }).waitFor({ timeout: 15_000 });
    await window.screenshot('share/crashed-chat');
    await window.command('ACP: Share Session…');
    await window
      .frame()
      .getByRole('heading', { name: exactly('Shared Sessions'), level: 1 })
      .waitFor();
    await window.command('ACP: Stop Sharing');
    await window.notification('Sessions are no longer shared.');
    await assert.rejects(attach(address, token), /ECONNREFUSED/);
    await tabs(/^(?!Shared Sessions)/)
      .first()
      .click();
    await window.frame().getByRole('link', { name: 'Reopen Chat' }).click();
    await window.frame().getByText('Said before.', { exact: true }).waitFor();
    await runCommands('acpHost.endSession');
    await clearWindow();
    await noKeeperLeft(dir);
    await window.page.unroute('**/mint-key');
  });
});
