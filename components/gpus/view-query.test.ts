import { expect, test } from 'vitest'
import { viewQuery } from './view-query'

test('a view keeps the parameters of the list in one order, without the cloud and the GPU of the drawer', () => {
  const params = new URLSearchParams('desc=true&cloud=paris&model=T4&gpu=a,b&model=A40&q=r2')
  expect(viewQuery(params)).toBe('q=r2&model=A40&model=T4&desc=true')
})

test('the whole list is an empty view', () => {
  expect(viewQuery(new URLSearchParams('cloud=paris&tab=vgpus'))).toBe('')
})
