import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listProxies, listRoutes, whyUndeclared } from './undeclared-routes'

const root = path.resolve(import.meta.dirname, '../..')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-routes-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text)
}

test('every page and route has a policy', () => {
  expect(whyUndeclared(path.join(root, 'app'))).toEqual([])
})

test('a page and a method without a declaration are named', () => {
  write('(console)/hidden/[id]/page.tsx', 'export default () => null')
  write('api/v1/hidden/route.ts', 'export const GET = route({}, f)\nexport async function DELETE() {}')
  expect(listRoutes(folder).toSorted()).toEqual([
    'DELETE /api/v1/hidden',
    'GET /api/v1/hidden',
    'page /hidden/{id}',
  ])
  expect(
    whyUndeclared(folder)
      .filter((line) => line.includes('has no policy'))
      .toSorted(),
  ).toEqual([
    expect.stringContaining('"DELETE /api/v1/hidden"'),
    expect.stringContaining('"GET /api/v1/hidden"'),
    expect.stringContaining('"page /hidden/{id}"'),
  ])
  expect(whyUndeclared(folder)).toContain('"page /gpus" has a policy, but is not there.')
})

test.each([
  ['api/v1/hidden/route.ts', "export { GET } from './other'"],
  ['api/v1/hidden/route.ts', 'export const { GET, POST } = make()'],
  ['api/v1/hidden/route.ts', "export * from './other'\nexport const GET = route({}, f)"],
  ['api/v1/hidden/route.tsx', 'const GET = f'],
  ['opengraph-image.tsx', 'export default () => null'],
  ['(console)/hosts/sitemap.ts', 'export default () => []'],
])('%s with %s answers something, and is named', (file, text) => {
  write(file, text)
  expect(whyUndeclared(folder)).toContainEqual(expect.stringContaining(`"file ${file}"`))
})

test('no file of ours runs in front of the routes, so none can be gone round', () => {
  expect(listProxies(root)).toEqual([])
  write('proxy.ts', 'export const proxy = () => undefined')
  write('pages/api/hidden.ts', 'export default f')
  expect(listProxies(folder).toSorted()).toEqual(['pages', 'proxy.ts'])
})
