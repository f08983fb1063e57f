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
export const withFonts = async (svg: string): Promise<string> => {
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
