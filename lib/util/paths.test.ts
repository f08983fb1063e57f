import { expect, test } from 'vitest'
import {
  apiPaths,
  gpuPath,
  gpusPath,
  hostPath,
  loginPath,
  newOrphansPath,
  newTypePath,
  overviewPath,
  safeNext,
} from './paths'

test('a PCI address stays readable in a link', () => {
  expect(gpuPath({ host: 'cmp-r2-07', address: '0000:18:00.0' })).toBe('/gpus/cmp-r2-07/0000:18:00.0')
})

test('the cloud goes along when it is named and is left out when it is not', () => {
  expect(overviewPath()).toBe('/')
  expect(overviewPath({ cloud: null })).toBe('/')
  expect(gpusPath({ cloud: 'paris prod', search: { model: 'T4' } })).toBe('/gpus?cloud=paris+prod&model=T4')
})

test('the group of unknown values has an empty key, which is not all groups', () => {
  const requested = { by: 'flavor', from: '2026-11-01', until: null }
  expect(apiPaths.capacity({ ...requested, key: '' })).toBe('/api/v1/capacity?by=flavor&from=2026-11-01&key=')
  expect(apiPaths.capacity({ ...requested, key: null })).toBe('/api/v1/capacity?by=flavor&from=2026-11-01')
})

test('text from outside cannot leave its path segment or parameter', () => {
  expect(hostPath({ host: '../x?y#z' })).toBe('/hosts/..%2Fx%3Fy%23z')
  expect(apiPaths.search({ text: 'a&cloud=b' })).toBe('/api/v1/search?q=a%26cloud%3Db')
})

test.each([
  ['/gpus?model=T4#a', '/gpus?model=T4#a'],
  ['/hosts/cmp-01', '/hosts/cmp-01'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/login?next=/login', '/'],
  ['/api/v1/session', '/'],
  ['/loginsight', '/loginsight'],
  ['', '/'],
  ['/\t/evil.example', '/'],
  ['/\t/not=a=host', '/'],
  [null, '/'],
  ['/.//evil.example', '/'],
  ['/a/..//evil.example', '/'],
  ['/%2e//evil.example', '/'],
  ['/.\\/evil.example', '/'],
  ['/./\\evil.example', '/'],
  ['/./gpus', '/gpus'],
])('after the sign-in, next=%j leads to %s', (next, path) => {
  expect(safeNext(next)).toBe(path)
})

test('the sign-in carries where to continue, and nothing when that is the overview', () => {
  expect(loginPath({ next: '/gpus?model=T4' })).toBe('/login?next=%2Fgpus%3Fmodel%3DT4')
  expect(loginPath({ next: '/' })).toBe('/login')
  expect(loginPath({ problem: 'no-role' })).toBe('/login?problem=no-role')
})

test('the chosen pGPUs and the wanted type stand in the address of a plan', () => {
  const gpus = [
    { host: 'cmp-1', address: '0000:18:00.0' },
    { host: 'cmp-2', address: '0000:19:00.0' },
  ]
  expect(newTypePath({ cloud: 'paris', gpus, type: 'nvidia-320' })).toBe(
    '/changes/new/type?cloud=paris&gpus=cmp-1%2C0000%3A18%3A00.0+cmp-2%2C0000%3A19%3A00.0&type=nvidia-320',
  )
  expect(newOrphansPath({ gpus: gpus.slice(0, 1) })).toBe(
    '/changes/new/orphans?gpus=cmp-1%2C0000%3A18%3A00.0',
  )
  expect(newOrphansPath()).toBe('/changes/new/orphans')
})
