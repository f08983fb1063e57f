import { createLoader } from 'nuqs/server'
import { expect, test } from 'vitest'
import { gpuSearchParams } from './gpu-search-params'

const load = createLoader(gpuSearchParams)

test('empty parameters count as absent', () => {
  expect(load('?model=&type=&framework=&aggregate=&finding=&holds=&group=&sort=&q=')).toEqual(load(''))
})

test('an empty value next to another one is left out', () => {
  expect(load('?aggregate=&aggregate=gpu-a40').aggregate).toEqual(['gpu-a40'])
})
