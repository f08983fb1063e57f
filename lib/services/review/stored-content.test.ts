import { expect, test } from 'vitest'
import { isServiceError } from '@/lib/server/errors/service-error'
import { parseContent } from './review-rows'
import { contentOfVersion } from './testing/stored-content'

const stored = (contentVersion: number, content: unknown) => ({
  id: 7,
  contentVersion,
  content: JSON.stringify(content),
})

const errorOf = (row: ReturnType<typeof stored>): unknown => {
  try {
    return parseContent(row)
  } catch (error) {
    return error
  }
}

test.each([1, 2, 3, 4] as const)('content of version %i is read by the schema of its version', (version) => {
  const content = contentOfVersion(version)
  expect(parseContent(stored(version, content))).toEqual(content)
})

test('content of a newer version is refused with what can open it', () => {
  const error = errorOf(stored(5, { ...contentOfVersion(4), version: 5 }))
  expect(isServiceError(error) && error.code).toBe('precondition')
  expect(String(error)).toContain('This review was created by a newer version of the console')
})

test('content of another version than its row names is an error', () => {
  for (const [version, content] of [
    [1, contentOfVersion(2)],
    [3, contentOfVersion(1)],
    [2, { ...contentOfVersion(2), hours: { whole: '720', watched: 0 } }],
  ] as const)
    expect(String(errorOf(stored(version, content)))).toContain(
      `The stored content of review 7 is not of version ${version}.`,
    )
})
