import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { API_AREAS } from './areas'
import { describeApi } from './describe-api'

const root = path.resolve(import.meta.dirname, '../../..')
const OPERATIONS = API_AREAS.flatMap(({ operations }) => operations)

/** Pages of a browser's sign-in through its Keystone: they redirect, and no script asks them. This document itself too. */
const NOT_DESCRIBED = ['/api/v1/session/websso', '/api/v1/session/websso/finish', '/api/v1/openapi.json']
/** Answered before Next, by lib/server/front-api alone. */
const IN_FRONT = ['GET /api/v1/gpus', 'GET /api/v1/hosts']
/** Roles and access come from the session alone. */
const WITHOUT_ACTION = ['account', 'session', 'anyone']

const ROUTES = readdirSync(path.join(root, 'app/api'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(v1|metrics|health)\/(.*\/)?route\.ts$/.test(file))
  .map((file) => ({
    address: `/api/${path.posix.dirname(file)}`.replaceAll(/\[(\w+)\]/g, '{$1}'),
    source: readFileSync(path.join(root, 'app/api', file), 'utf8'),
  }))

/** The actions that the services of a route ask a permission for. */
const actionsOf = (source: string): string[] => {
  const services = [...source.matchAll(/from '@\/(lib\/services\/[\w/-]+)'/g)]
  const texts = services.map(([, file]) => readFileSync(path.join(root, `${file}.ts`), 'utf8'))
  return texts.flatMap((text) =>
    [...text.matchAll(/requirePermission\(ctx, '([\w.-]+)'\)/g)].map(([, action = '']) => action),
  )
}

test('every route is described, and nothing else', () => {
  const served = ROUTES.filter(({ address }) => !NOT_DESCRIBED.includes(address)).flatMap(
    ({ address, source }) =>
      [...source.matchAll(/export const (GET|POST|PUT|DELETE) =/g)].map(
        ([, method]) => `${method} ${address}`,
      ),
  )
  const described = OPERATIONS.map(({ method, path: address }) => `${method} ${address}`)
  expect(described.toSorted()).toEqual([...served, ...IN_FRONT].toSorted())
})

test('the described permissions are those that the services check', () => {
  for (const { address, source } of ROUTES) {
    if (NOT_DESCRIBED.includes(address)) continue
    const roles = OPERATIONS.filter(({ path: described }) => described === address).map(({ may }) => may)
    const actions = roles.filter((may) => !WITHOUT_ACTION.includes(may))
    expect(new Set(actions), address).toEqual(new Set(actionsOf(source)))
  }
})

test('every part of a path that varies is described, and operations have their own names', () => {
  const { paths } = describeApi({ version: '1.2.3' })
  const ids: string[] = []
  for (const [address, methods] of Object.entries(paths)) {
    for (const operation of Object.values(methods) as {
      operationId: string
      parameters: { name: string; in: string }[]
    }[]) {
      ids.push(operation.operationId)
      const named = operation.parameters
        .filter(({ in: location }) => location === 'path')
        .map(({ name }) => name)
      const varying = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(named, address).toEqual(varying)
    }
  }
  expect(new Set(ids).size).toBe(ids.length)
})

test('bodies and answers are JSON Schemas with their rules', () => {
  const document = describeApi({ version: '1.2.3' })
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
  expect(document.paths['/api/v1/api-tokens']?.post).toMatchObject({
    description: 'Requires the role admin or reader or tenant. API tokens are not accepted.',
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['label', 'access', 'lifetimeDays'],
            properties: { access: { enum: ['read', 'write'] }, label: { maxLength: 80 } },
          },
        },
      },
    },
    responses: { 201: {}, default: { $ref: '#/components/responses/Error' } },
  })
  expect(document.paths['/api/v1/overview']?.get).toMatchObject({
    parameters: [{ name: 'cloud', in: 'query', required: false, schema: { type: 'string', maxLength: 128 } }],
    responses: {
      200: { content: { 'application/json': { schema: { required: expect.arrayContaining(['totals']) } } } },
    },
  })
})
