import { downloadBlob } from '@/components/ui/download-text'
import type { LegendKey } from './legend'

type Face = { family: string; weight: string; source: string; ranges: readonly (readonly [number, number])[] }

/** `U+0-FF, U+131, U+4??` as pairs of code points; of none every character is meant. */
export const readUnicodeRange = (text: string): [number, number][] =>
  text.split(',').flatMap((part): [number, number][] => {
    const range = /^\s*U\+([0-9a-f?]+)(?:-([0-9a-f]+))?\s*$/i.exec(part)
    const [, from = '', until = from] = range ?? []
    if (from === '') return []
    return [[Number.parseInt(from.replaceAll('?', '0'), 16), Number.parseInt(until.replaceAll('?', 'f'), 16)]]
  })

const hasCharacterOf = (text: string, { ranges }: Pick<Face, 'ranges'>): boolean =>
  ranges.length === 0 ||
  [...text].some((character) => {
    const point = character.codePointAt(0) ?? 0
    return ranges.some(([from, until]) => from <= point && point <= until)
  })

const unquoted = (name: string): string => name.replaceAll(/^["']|["']$/g, '')

/** The upright faces that the page's own style sheets name. */
const facesOf = (sheets: StyleSheetList): Face[] =>
  [...sheets].flatMap((sheet) =>
    [...sheet.cssRules].flatMap((rule): Face[] => {
      if (!(rule instanceof CSSFontFaceRule)) return []
      const { style } = rule
      const address = /url\((["']?)([^"')]+)\1\)/.exec(style.getPropertyValue('src'))?.[2]
      if (address === undefined || style.getPropertyValue('font-style') === 'italic') return []
      return [
        {
          family: unquoted(style.getPropertyValue('font-family')),
          weight: style.getPropertyValue('font-weight'),
          source: new URL(address, sheet.href ?? document.baseURI).href,
          ranges: readUnicodeRange(style.getPropertyValue('unicode-range')),
        },
      ]
    }),
  )

const asDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('the font could not be read'))
    reader.readAsDataURL(blob)
  })

const ruleOf = async ({ family, weight, source }: Face): Promise<string> => {
  const answer = await fetch(source)
  if (!answer.ok) return ''
  const url = await asDataUrl(await answer.blob())
  return `@font-face{font-family:"${family}";font-weight:${weight};src:url(${url})}`
}

/**
 * A drawing's text with the page's font embedded, because a picture cannot load it and the system font usually differs.
 * Without an answer from the console the text is unchanged.
 */
const withFonts = async (svg: string): Promise<string> => {
  const family = unquoted(getComputedStyle(document.body).fontFamily.split(',')[0]?.trim() ?? '')
  const words = svg.replaceAll(/<[^>]*>/g, '')
  const wanted = facesOf(document.styleSheets).filter(
    (face) => face.family === family && hasCharacterOf(words, face),
  )
  try {
    const rules = await Promise.all(wanted.map(ruleOf))
    return svg.replace(/^<svg[^>]*>/, (open) => `${open}<style>${rules.join('')}</style>`)
  } catch {
    return svg
  }
}

/** Of 12 px letters, on average; wider than most. */
const LETTER = 6.6
const SWATCH = 20
const GAP = 16

/** Where the keys of a legend stand on a picture of `width` pixels: in rows, none cut at the right edge. */
export const layOutKeys = (
  words: readonly string[],
  width: number,
): { positions: { x: number; row: number }[]; rows: number } => {
  let [x, row] = [0, 0]
  const positions = words.map((word) => {
    const wide = SWATCH + word.length * LETTER
    if (x > 0 && x + wide > width) [x, row] = [0, row + 1]
    const position = { x, row }
    x += wide + GAP
    return position
  })
  return { positions, rows: words.length === 0 ? 0 : row + 1 }
}

/** The styles of the page that a separate file has to contain. */
const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const

type Picture = { drawing: SVGSVGElement; title: string; name: string; keys: readonly LegendKey[] }

const NAMESPACE = 'http://www.w3.org/2000/svg'
/** Pixels of a picture for each of the page: sharp on paper. */
const SCALE = 2

const HEAD = 28
const KEY_HEIGHT = 20
const EDGE = 8

const element = (name: string, attributes: Readonly<Record<string, string | number>>): SVGElement => {
  const made = document.createElementNS(NAMESPACE, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}

const DASHED = { solid: 'none', dashed: '5 4', dotted: '2 3' } as const

/** What the areas and lines are, in rows beneath the drawing; patterns are those of the drawing. */
const legendOf = (
  keys: readonly LegendKey[],
  { width, top, paper }: { width: number; top: number; paper: CSSStyleDeclaration },
): { drawn: SVGElement[]; height: number } => {
  const colourOf = (name: string): string => paper.getPropertyValue(name)
  const { positions, rows } = layOutKeys(
    keys.map(({ word }) => word),
    width - 2 * EDGE,
  )
  const drawn = keys.flatMap((key, index) => {
    const { x = 0, row = 0 } = positions[index] ?? {}
    const [left, middle] = [EDGE + x, top + row * KEY_HEIGHT + KEY_HEIGHT / 2]
    const words = element('text', {
      x: left + 20,
      y: middle + 4,
      fill: paper.color,
      'font-family': paper.fontFamily,
      'font-size': 12,
    })
    words.textContent = key.word
    if ('fill' in key) {
      const fill = key.fill.replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => colourOf(name))
      const at = { x: left, y: middle - 6, width: 12, height: 12, rx: 3 }
      return [element('rect', { ...at, fill, stroke: colourOf('--edge') }), words]
    }
    const path = key.isUpright ? `M${left + 8} ${middle - 8}v16` : `M${left} ${middle}h16`
    const stroke = { stroke: colourOf(`--${key.colour}`), 'stroke-dasharray': DASHED[key.dash ?? 'solid'] }
    return [element('path', { d: path, fill: 'none', 'stroke-width': 1.6, ...stroke }), words]
  })
  return { drawn, height: rows === 0 ? 0 : rows * KEY_HEIGHT + EDGE }
}

/** The drawing with its colors resolved, on the page's background, with its title above and its legend below. */
const standalone = ({
  drawing,
  title,
  keys,
}: Omit<Picture, 'name'>): { text: string; width: number; height: number } => {
  const { width, height } = drawing.getBoundingClientRect()
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const originals = drawing.querySelectorAll('*')
  copy.querySelectorAll<SVGElement>('*').forEach((part, index) => {
    const original = originals[index]
    if (original === undefined) return
    const style = getComputedStyle(original)
    for (const name of STYLES) part.setAttribute(name, style.getPropertyValue(name))
  })
  const paper = getComputedStyle(document.body)
  const sheet = document.createElementNS(NAMESPACE, 'svg')
  const legend = legendOf(keys, { width, top: HEAD + height, paper })
  const whole = HEAD + height + legend.height
  sheet.setAttribute('xmlns', NAMESPACE)
  sheet.setAttribute('width', String(width))
  sheet.setAttribute('height', String(whole))
  sheet.setAttribute('viewBox', `0 0 ${width} ${whole}`)
  const ground = element('rect', { width: '100%', height: '100%', fill: paper.getPropertyValue('--panel') })
  const letters = { fill: paper.color, 'font-family': paper.fontFamily, 'font-size': 13 }
  const words = element('text', { x: EDGE, y: 18, ...letters })
  words.textContent = title
  copy.setAttribute('y', String(HEAD))
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  sheet.append(ground, words, copy, ...legend.drawn)
  return { text: new XMLSerializer().serializeToString(sheet), width, height: whole }
}

/** The text of an SVG file, with its width and height in pixels and its base name without extension. */
type DrawnText = { text: string; width: number; height: number; name: string }

/** Hands an SVG file to the reader. */
export const saveSvgText = async ({ text, name }: Pick<DrawnText, 'text' | 'name'>): Promise<void> => {
  const blob = new Blob([await withFonts(text)], { type: 'image/svg+xml' })
  downloadBlob({ name: `${name}.svg`, blob })
}

/** The same as a PNG of twice the pixels. */
export const savePngOfText = async ({ text, width, height, name }: DrawnText): Promise<void> => {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await withFonts(text))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(width * SCALE)
  canvas.height = Math.ceil(height * SCALE)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob !== null) downloadBlob({ name: `${name}.png`, blob })
}

/** Downloads the chart as an SVG file in its current form. */
export const saveAsSvg = ({ name, ...picture }: Picture): Promise<void> =>
  saveSvgText({ ...standalone(picture), name })

/** The same as a PNG of twice the pixels. */
export const saveAsPng = ({ name, ...picture }: Picture): Promise<void> =>
  savePngOfText({ ...standalone(picture), name })
