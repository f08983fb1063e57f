import { ACTION_ROLES } from '@/lib/domain/access/permissions'
import { ACTION_TOKEN_ACCESS } from '@/lib/domain/access/token-access'
import { errorBodySchema } from '@/lib/schemas/api/error-body'
import { API_AREAS } from './areas'
import { addressFields, type JsonSchema, jsonSchema } from './json-schema'
import type { Admission, Area, Operation } from './operation'

type OpenApi = Record<string, unknown> & { paths: Record<string, Record<string, unknown>> }

const parametersOf = ({ path, params, query }: Operation): JsonSchema[] => [
  ...addressFields(params)
    .filter(({ name }) => path.includes(`{${name}}`))
    .map(({ name, schema }) => ({ name, in: 'path', required: true, schema })),
  ...addressFields(query).map(({ name, schema, isRequired }) => ({
    name,
    in: 'query',
    required: isRequired,
    schema,
  })),
]

/** The callers as text: roles, and the access that an API token needs. */
export const admissionText = (may: Admission): string => {
  if (may === 'anyone') return 'No sign-in is required.'
  if (may === 'session') return 'Requires a session, with or without a selected project.'
  if (may === 'account') return 'Requires an account of any role.'
  const access = ACTION_TOKEN_ACCESS[may]
  const token = access === 'never' ? 'API tokens are not accepted.' : `API token: ${access}.`
  return `Requires the role ${ACTION_ROLES[may].join(' or ')}. ${token}`
}

const answerOf = ({ answer, status }: Operation): JsonSchema => {
  if (answer === null) return { 204: { description: 'Done.' } }
  const content =
    answer === 'text'
      ? { 'text/plain': { schema: { type: 'string' } } }
      : { 'application/json': { schema: jsonSchema(answer, 'output') } }
  return { [status ?? 200]: { description: status === 201 ? 'Made.' : 'The answer.', content } }
}

const operationId = ({ method, path }: Operation): string =>
  `${method.toLowerCase()}${path
    .replace('/api/', '/')
    .replace('/v1/', '/')
    .split(/[^a-z0-9]+/i)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`

const describeOperation = (operation: Operation, { title }: Area): JsonSchema => {
  const { summary, may, body } = operation
  return {
    operationId: operationId(operation),
    tags: [title],
    summary,
    description: admissionText(may),
    'x-permission': may,
    parameters: parametersOf(operation),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(body, 'input') } },
          },
        }),
    responses: { ...answerOf(operation), default: { $ref: '#/components/responses/Error' } },
    ...(may === 'anyone' ? { security: [] } : {}),
  }
}

const describePaths = (): OpenApi['paths'] => {
  const paths: OpenApi['paths'] = {}
  for (const area of API_AREAS) {
    for (const operation of area.operations) {
      paths[operation.path] = {
        ...paths[operation.path],
        [operation.method.toLowerCase()]: describeOperation(operation, area),
      }
    }
  }
  return paths
}

/** Made at the first question: it takes a quarter of a second, and anybody may ask. */
let described: OpenApi['paths'] | null = null

/** The API as OpenAPI 3.1, from the schemas that its routes check. `version`: Sliceboard's. */
export const describeApi = ({ version }: { version: string }): OpenApi => {
  described ??= describePaths()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sliceboard',
      version,
      description:
        'The API of the browser is also available to scripts with an API token. An error names the field, the value and the rule.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiToken: [] }, { session: [] }],
    tags: API_AREAS.map(({ title, about }) => ({ name: title, description: about })),
    paths: described,
    components: {
      securitySchemes: {
        apiToken: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'sliceboard-session' },
      },
      responses: {
        Error: {
          description: 'The error in one sentence.',
          content: { 'application/json': { schema: jsonSchema(errorBodySchema, 'output') } },
        },
      },
    },
  }
}
