/** Mermaid's configuration: the settings that a diagram may not change, and the colours. */
import type { MermaidConfig } from 'mermaid';
import { type DiagramTheme, MAX_TEXT } from './messages';

/** Edges; the time of a layout grows with their square. */
const MAX_EDGES = 300;

/**
 * Settings that a diagram (`%%{init}%%`, front matter) may not change, at any depth. The look comes from the editor, HTML is not supported, and only
 * one layout is included.
 */
const SECURE = [
  ...[
    'secure',
    'securityLevel',
    'startOnLoad',
    'maxTextSize',
    'maxEdges',
    'suppressErrorRendering',
    'deterministicIds',
    'deterministicIDSeed',
    'dompurifyConfig',
    'logLevel',
  ],
  ...[
    'htmlLabels',
    'layout',
    'defaultRenderer',
    'elk',
    'legacyMathML',
    'forceLegacyMathML',
    'arrowMarkerAbsolute',
    'useMaxWidth',
    'textPlacement',
  ],
  ...['theme', 'themeVariables', 'themeCSS', 'fontFamily', 'altFontFamily', 'fontSize', 'darkMode', 'look'],
];

export function drawingConfig(theme: DiagramTheme): MermaidConfig {
  return {
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: MAX_TEXT,
    maxEdges: MAX_EDGES,
    deterministicIds: true,
    secure: SECURE,
    logLevel: 'fatal',
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: false },
    // In a wider box the name would not be centred.
    state: { minNodeWidth: 0 },
    journey: { actorColours: [...theme.strong] },
    layout: 'dagre',
    look: 'classic',
    darkMode: theme.dark,
    fontFamily: FONT,
    fontSize: theme.fontSize,
    theme: 'base',
    themeVariables: themeVariables(theme),
    themeCSS: fixedColours(theme),
  } as MermaidConfig;
}

/** Overrides Mermaid's fixed colours, which assume white paper, and keeps lines from crossing their labels. */
function fixedColours({ line, text, background }: DiagramTheme): string {
  return `[fill="#444444"]{fill:${text};} [stroke="#444444"]{stroke:${line};} marker [fill="white"]{fill:${background};} .edgeLabel .background{opacity:1;}`;
}

/** An image can use only the system's fonts. */
const FONT = 'system-ui, sans-serif';

function themeVariables(theme: DiagramTheme): Record<string, unknown> {
  const { background, text, line, node, nodeBorder, group, note, noteBorder, error, strong, soft } = theme;
  return {
    darkMode: theme.dark,
    background,
    fontFamily: FONT,
    fontSize: `${theme.fontSize}px`,
    primaryColor: node,
    primaryTextColor: text,
    primaryBorderColor: nodeBorder,
    secondaryColor: group,
    secondaryTextColor: text,
    secondaryBorderColor: nodeBorder,
    tertiaryColor: group,
    tertiaryTextColor: text,
    tertiaryBorderColor: nodeBorder,
    lineColor: line,
    textColor: text,
    mainBkg: node,
    nodeBorder,
    clusterBkg: group,
    clusterBorder: nodeBorder,
    titleColor: text,
    edgeLabelBackground: background,
    labelBackground: background,
    labelBackgroundColor: background,
    errorBkgColor: background,
    errorTextColor: error,
    // Sequences
    actorBkg: node,
    actorBorder: nodeBorder,
    actorTextColor: text,
    actorLineColor: nodeBorder,
    signalColor: line,
    signalTextColor: text,
    sequenceNumberColor: background,
    activationBkgColor: group,
    activationBorderColor: nodeBorder,
    labelBoxBkgColor: node,
    labelBoxBorderColor: nodeBorder,
    labelTextColor: text,
    loopTextColor: text,
    noteBkgColor: note,
    noteTextColor: text,
    noteBorderColor: noteBorder,
    // Classes, states, entities
    classText: text,
    altBackground: group,
    compositeBackground: background,
    compositeTitleBackground: node,
    stateBkg: node,
    stateLabelColor: text,
    transitionColor: line,
    transitionLabelColor: text,
    specialStateColor: line,
    innerEndBackground: nodeBorder,
    attributeBackgroundColorOdd: background,
    attributeBackgroundColorEven: group,
    rowOdd: background,
    rowEven: group,
    requirementBackground: node,
    requirementBorderColor: nodeBorder,
    requirementTextColor: text,
    relationColor: line,
    relationLabelBackground: background,
    relationLabelColor: text,
    // Plans
    sectionBkgColor: group,
    altSectionBkgColor: background,
    sectionBkgColor2: group,
    gridColor: nodeBorder,
    todayLineColor: error,
    taskBkgColor: soft[0],
    taskBorderColor: nodeBorder,
    taskTextColor: text,
    taskTextLightColor: text,
    taskTextDarkColor: text,
    taskTextOutsideColor: text,
    taskTextClickableColor: text,
    activeTaskBkgColor: soft[1],
    activeTaskBorderColor: strong[1],
    doneTaskBkgColor: node,
    doneTaskBorderColor: nodeBorder,
    critBkgColor: soft[2],
    critBorderColor: error,
    vertLineColor: error,
    excludeBkgColor: group,
    // Charts
    pieTitleTextColor: text,
    pieSectionTextColor: text,
    pieLegendTextColor: text,
    pieStrokeColor: background,
    pieOuterStrokeColor: nodeBorder,
    pieOpacity: '1',
    quadrant1Fill: soft[0],
    quadrant2Fill: soft[1],
    quadrant3Fill: soft[3],
    quadrant4Fill: soft[4],
    ...each(4, (index) => ({ [`quadrant${index + 1}TextFill`]: text })),
    quadrantPointFill: line,
    quadrantPointTextFill: text,
    quadrantXAxisTextFill: text,
    quadrantYAxisTextFill: text,
    quadrantInternalBorderStrokeFill: nodeBorder,
    quadrantExternalBorderStrokeFill: nodeBorder,
    quadrantTitleFill: text,
    xyChart: {
      backgroundColor: background,
      titleColor: text,
      xAxisLabelColor: text,
      xAxisTitleColor: text,
      xAxisTickColor: line,
      xAxisLineColor: line,
      yAxisLabelColor: text,
      yAxisTitleColor: text,
      yAxisTickColor: line,
      yAxisLineColor: line,
      plotColorPalette: strong.join(','),
    },
    packet: {
      startByteColor: text,
      endByteColor: text,
      labelColor: text,
      titleColor: text,
      blockStrokeColor: nodeBorder,
      blockFillColor: node,
    },
    archEdgeColor: line,
    archEdgeArrowColor: line,
    archGroupBorderColor: nodeBorder,
    personBkg: node,
    personBorder: nodeBorder,
    commitLabelColor: text,
    commitLabelBackground: group,
    tagLabelColor: text,
    tagLabelBackground: node,
    tagLabelBorder: nodeBorder,
    ...each(8, (index) => ({
      [`git${index}`]: at(strong, index),
      [`gitInv${index}`]: background,
      [`gitBranchLabel${index}`]: background,
      [`fillType${index}`]: at(soft, index),
      [`venn${index + 1}`]: at(strong, index),
    })),
    ...each(12, (index) => ({
      [`pie${index + 1}`]: at(soft, index),
      [`cScale${index}`]: at(soft, index),
      [`cScalePeer${index}`]: at(strong, index),
      [`cScaleInv${index}`]: at(strong, index),
      [`cScaleLabel${index}`]: text,
    })),
  };
}

const at = (colours: readonly string[], index: number) => colours[index % colours.length]!;

function each(count: number, make: (index: number) => Record<string, string>): Record<string, string> {
  return Object.assign({}, ...Array.from({ length: count }, (_each, index) => make(index))) as Record<string, string>;
}
