/** What agents ask of the user beyond permissions. */
import type { Area } from '../area';
import { ASKED, CARDS, FORMS, no, RULES, SEEN } from '../area';

const VALUES = `${FORMS}sends a form’s values only when nothing is wrong with them`;
const CONSENT = `${FORMS}takes the consent to a web page without values, and names the page until it is finished`;

export const ELICITATION: readonly Area[] = [
  {
    area: 'CreateElicitationRequest', label: 'the elicitation mode', section: 'Elicitation', title: 'Modes',
    intro: 'What we could not show as it was meant is refused with `-32602`, kept, and shown as something the agent asked.',
    sent: no(), handled: '', shown: '',
    tests: [SEEN],
    rows: [
      { name: 'form', shown: 'a form in the conversation', tests: [`${ASKED}form`, VALUES, `${CARDS}says who asks and what for, starts with the defaults, sends what is there, and then shows what was sent`] },
      { name: 'url', shown: 'the whole address with its host marked; opened outside after consent', tests: [`${ASKED}page`, CONSENT, `${CARDS}shows the whole address with the site marked, and opens nothing by itself`, 'unit/webview/elicitationHost.test.ts: warns of names that may look like others'] },
      { name: 'other', handled: 'refused', shown: 'as it came', tests: [`${ASKED}refused`, SEEN] },
    ],
  },
  {
    area: 'ElicitationFormMode', label: 'the scope of a form', section: 'Elicitation', title: 'Whom a form concerns',
    intro: '',
    sent: no(), handled: '', shown: 'in the session it concerns',
    tests: [SEEN],
    rows: [{ name: 'Session' }, { name: 'Request', handled: 'by the id of our request', tests: [`${ASKED}while-opening`, `${FORMS}go to the session that is being opened`] }],
  },
  {
    area: 'ElicitationUrlMode', label: 'the scope of a web page', section: 'Elicitation', title: 'Whom a web page concerns',
    intro: '',
    sent: no(), handled: '', shown: 'in the session it concerns',
    tests: [SEEN],
    rows: [{ name: 'Session' }, { name: 'Request', handled: 'by the id of our request', tests: [`${FORMS}go to the session that is being opened`, SEEN] }],
  },
  {
    area: 'ElicitationSchemaType', label: 'the schema type', section: 'Elicitation', title: 'Type of the requested schema',
    intro: 'Missing and wrong ones count as `object`.',
    sent: no(), handled: '', shown: no(),
    tests: [SEEN],
    rows: [{ name: 'object' }],
  },
  {
    area: 'ElicitationPropertySchema', label: 'the property type', section: 'Elicitation', title: 'Fields of a form',
    intro: '',
    sent: no(), handled: '', shown: '',
    tests: [SEEN],
    rows: [
      { name: 'string', shown: 'a text field; a list when there are choices' },
      { name: 'number', shown: 'a number field' },
      { name: 'integer', shown: 'a number field for whole numbers' },
      { name: 'boolean', shown: 'a check box' },
      { name: 'array', shown: 'a list to choose several of' },
      { name: 'other', handled: 'the request is refused', shown: 'as it came' },
    ],
  },
  {
    area: 'StringFormat', label: 'the string format', section: 'Elicitation', title: 'Formats of texts',
    intro: 'Another format says nothing, as the specification wants it.',
    sent: no(), handled: '', shown: 'what does not fit is named beside the field',
    tests: [`${RULES}knows the format \${format}`, `${CARDS}sends nothing that does not fit, says why beside the field, and goes to the first that is wrong`],
    rows: [{ name: 'email' }, { name: 'uri' }, { name: 'date' }, { name: 'date-time' }],
  },
  {
    area: 'MultiSelectItems', label: 'the items of a list', section: 'Elicitation', title: 'Choices of a list',
    intro: '',
    sent: no(), handled: '', shown: '',
    tests: [SEEN],
    rows: [{ name: 'string', shown: 'the values' }, { name: 'titled', shown: 'titles and descriptions' }, { name: 'other', handled: 'the request is refused', shown: 'as it came' }],
  },
  {
    area: 'CreateElicitationResponse', label: 'the elicitation action', section: 'Elicitation', title: 'Answers',
    intro: '',
    sent: '', handled: no(), shown: 'the card says what was answered',
    tests: [`${ASKED}form-declined-and-dismissed`, `${FORMS}tells an explicit no from none at all`, `${CARDS}tells a no from no answer, and sends neither twice`],
    rows: [
      { name: 'accept', sent: 'with the values of the form; without any for a web page, where it is consent', tests: [VALUES, CONSENT] },
      { name: 'decline', sent: 'when the user says no' },
      { name: 'cancel', sent: 'when it is dismissed or the turn is stopped', tests: [`${FORMS}tells an explicit no from none at all`, `${FORMS}ends what waits when the turn is stopped or the agent goes`] },
      { name: 'other', sent: no('we have nothing else to say'), shown: no() },
    ],
  },
  {
    area: 'ElicitationContentValue', label: 'the form value', section: 'Elicitation', title: 'Values of a form',
    intro: '',
    sent: '', handled: no(), shown: no(),
    tests: [VALUES, `${RULES}refuses a value of another type`],
    rows: [{ name: 'String' }, { name: 'Integer' }, { name: 'Number' }, { name: 'Boolean' }, { name: 'StringArray' }],
  },
];
