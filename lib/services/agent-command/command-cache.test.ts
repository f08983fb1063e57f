import { expect, test } from 'vitest'
import { createCommandBoard } from './command-cache'

type Row = { hostId: number; hasCommands: boolean }

/** A board with a fake clock and answers that the test gives explicitly. */
const opened = () => {
  let nowMs = 0
  const asked: { answer: (rows: Row[]) => void; fail: (error: Error) => void }[] = []
  const board = createCommandBoard({
    query: (() => new Promise<Row[]>((answer, fail) => asked.push({ answer, fail }))) as never,
    freshMs: 1000,
    nowMs: () => nowMs,
  })
  return {
    board,
    asked,
    wait: (ms: number) => {
      nowMs += ms
    },
  }
}

const NOTHING = { hasCommands: false, isAwaited: false }
const HAS_SOME = { hasCommands: true, isAwaited: true }

test('the database is asked once for all, and who asks after its answer has it at once', async () => {
  const { board, asked, wait } = opened()
  const both = [board.of(1), board.of(2)]
  expect(asked).toHaveLength(1)
  asked[0]?.answer([
    { hostId: 1, hasCommands: true },
    { hostId: 1, hasCommands: false },
  ])
  expect(await Promise.all(both)).toEqual([HAS_SOME, NOTHING])
  wait(999)
  expect([board.of(1), board.of(2)]).toEqual([HAS_SOME, NOTHING])
  wait(1)
  expect(board.of(1)).toBeInstanceOf(Promise)
  expect(asked).toHaveLength(2)
})

test('an answer that comes after a later question is not what is known', async () => {
  const { board, asked, wait } = opened()
  const early = board.of(1)
  wait(1000)
  const late = board.of(1)
  asked[0]?.answer([{ hostId: 1, hasCommands: true }])
  expect(await early).toEqual(HAS_SOME)
  expect(board.of(1)).toBeInstanceOf(Promise)
  asked[1]?.answer([])
  expect(await late).toEqual(NOTHING)
  expect(board.of(1)).toEqual(NOTHING)
})

test('where the database did not answer it is asked again at once', async () => {
  const { board, asked } = opened()
  const failing = board.of(1)
  asked[0]?.fail(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  const next = board.of(1)
  expect(asked).toHaveLength(2)
  asked[1]?.answer([{ hostId: 1, hasCommands: false }])
  expect(await next).toEqual({ hasCommands: false, isAwaited: true })
})
