import { parse } from '@cdktn/hcl2json'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinEncoded } from './encoded'
import { hcl, hclName, hclString } from './hcl'
import { anyText, HOSTILE_TEXTS, UNSAFE } from './testing/hostile-text'

const withoutSurrogates = (text: string): string =>
  text.replace(/\p{Cs}/gu, (unit) => `⟨U+${unit.charCodeAt(0).toString(16).toUpperCase()}⟩`)

/** hcl2json keeps `$${` and `%%{`, so that its readers can tell them from templates. */
const literal = (text: string): string => text.replace(/([$%])\1(?=\{)/g, '$1')

test('each text is read back by HashiCorp’s parser', async () => {
  const check = async (texts: readonly string[]): Promise<void> => {
    const lines = texts.map((text, index) => hcl`  a${index} = ${hclString(text)}`)
    const document = hcl`resource "x" "y" {\n${joinEncoded(lines, '\n')}\n}\n`
    expect(document.replaceAll('\n', '')).not.toMatch(UNSAFE)
    const parsed = (await parse('a.tf', document)) as {
      resource: { x: { y: Record<string, string>[] } }
    }
    const [read = {}] = parsed.resource.x.y
    expect(texts.map((_, index) => literal(read[`a${index}`] ?? ''))).toEqual(
      // HCL reads texts in Unicode's normal form C.
      texts.map((text) => withoutSurrogates(text).normalize('NFC')),
    )
  }
  await check(HOSTILE_TEXTS)
  await fc.assert(fc.asyncProperty(fc.array(anyText(), { maxLength: 30 }), check), { numRuns: 30 })
})

test('a name has letters, digits and underscores only', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(hclName(text)).toMatch(/^[a-z][a-z0-9_]*$/)
    }),
  )
})
