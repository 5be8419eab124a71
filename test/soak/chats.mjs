// Finds chats in the real window: among the editors, in the chat view, in a window of their own.
import { Conversation } from '../harness/lib/journey.mjs';
import { theStage } from '../e2e/stage.mjs';

const webviews = 'iframe.webview.ready:visible';

/** Every conversation with a message box on a page, in no order. The start page of a chat view without a session does not count. */
export async function chatsIn(page) {
  const chats = [];
  for (let index = 0; index < (await page.locator(webviews).count()); index++) {
    const frame = page.frameLocator(`${webviews} >> nth=${index}`).frameLocator('iframe#active-frame');
    if ((await frame.getByRole('textbox', { name: 'Message', exact: true }).count()) === 1)
      chats.push(new Conversation({ frame: () => frame }));
  }
  return chats;
}

/** The first of them that contains `text`; undefined when there is none. */
export async function chatIn(page, text = '') {
  for (const chat of await chatsIn(page)) {
    if (text === '' || (await chat.frame.locator('body').innerText()).includes(text)) return chat;
  }
  return undefined;
}

/** The tabs of sessions, in all windows. */
export async function sessionTabs() {
  const { neighbour } = await theStage();
  return (await neighbour.tabs()).filter(({ viewType }) => viewType?.endsWith('acpHost.session'));
}

/** The locations of the chats on a page, as a list: `editor`, `sideBar`, both or none. A tab behind another counts. */
export async function placesOf(page) {
  const tabs = await sessionTabs();
  const inFront = tabs.filter(({ isActive }) => isActive).length;
  const isInView = (await chatsIn(page)).length > inFront;
  return [...(tabs.length > 0 ? ['editor'] : []), ...(isInView ? ['sideBar'] : [])];
}
