import { expect, test } from 'vitest'
import { nameForModel } from './name-for-model'

const names = (...shortNames: string[]) => shortNames.map((shortName) => ({ shortName }))

test('one name in several wordings is the name', () => {
  expect(nameForModel(names('L40S-16Q', 'L40S-16Q'), 'NVIDIA L40S')).toEqual({ shortName: 'L40S-16Q' })
})

test('of several names the one of the model’s GPU is taken', () => {
  expect(nameForModel(names('A40-4Q', 'L40S-16Q'), 'NVIDIA L40S')).toEqual({ shortName: 'L40S-16Q' })
  expect(nameForModel(names('L4-8Q', 'L40S-16Q'), 'NVIDIA L40S')).toEqual({ shortName: 'L40S-16Q' })
  expect(nameForModel(names('RTXA6000-8Q', 'A40-4Q'), 'NVIDIA RTX A6000')).toEqual({
    shortName: 'RTXA6000-8Q',
  })
})

test('it is not guessed between two, nor taken from nothing', () => {
  expect(nameForModel(names('L40S-8Q', 'L40S-16Q'), 'NVIDIA L40S')).toBeNull()
  expect(nameForModel(names('A40-4Q', 'A16-4Q'), 'NVIDIA L40S')).toBeNull()
  expect(nameForModel([], 'NVIDIA L40S')).toBeNull()
})
