import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod'

const manifestSchema = z.object({
  icons: z.array(z.object({ src: z.string(), sizes: z.string(), type: z.string() })).min(2),
})

/** Width and height in the header of a PNG. */
const sizeOf = (png: Buffer): string => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`

test('the icons of the manifest exist in the sizes that it states', () => {
  const { icons } = manifestSchema.parse(JSON.parse(readFileSync('public/manifest.webmanifest', 'utf8')))
  for (const { src, sizes, type } of icons) {
    const file = readFileSync(`public${src}`)
    expect([src, type === 'image/png' ? sizeOf(file) : 'any']).toEqual([src, sizes])
  }
})

test('the files that the layout names exist, and search engines are kept out', () => {
  const layout = readFileSync('app/layout.tsx', 'utf8')
  const named = [...layout.matchAll(/'(\/[\w-]+\.(?:svg|png|webmanifest))'/g)].map(([, path]) => path)
  expect(named).toEqual(['/manifest.webmanifest', '/icon.svg', '/apple-touch-icon.png'])
  for (const path of named) expect(readFileSync(`public${path}`).length).toBeGreaterThan(100)
  expect(layout).toContain('robots: { index: false, follow: false }')
  expect(readFileSync('public/robots.txt', 'utf8')).toMatch(/^User-agent: \*\nDisallow: \/$/m)
})
