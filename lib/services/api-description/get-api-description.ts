import 'server-only'
import type { ApiDescription } from '@/lib/schemas/api/api-description'
import { API_AREAS } from './areas'
import { admissionText } from './describe-api'
import { addressFields, jsonSchema } from './json-schema'
import type { Operation } from './operation'

type OperationDto = ApiDescription['areas'][number]['operations'][number]

const exampleOf = ({ method, path, body, may }: Operation): string => {
  const parts = [
    'curl --fail-with-body',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(may === 'anyone' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : [`--json '{…}'`]),
    `"$SLICEBOARD${path}"`,
  ]
  return parts.join(' ')
}

const operationDto = (operation: Operation): OperationDto => {
  const { method, path, summary, may, params, query, body } = operation
  return {
    method,
    path,
    summary,
    admission: admissionText(may),
    fields: [
      ...addressFields(params).map(({ name }) => ({ name, location: 'path' as const, isRequired: true })),
      ...addressFields(query).map(({ name, isRequired }) => ({
        name,
        location: 'query' as const,
        isRequired,
      })),
    ],
    body: body === undefined ? null : JSON.stringify(jsonSchema(body, 'input'), null, 2),
    example: exampleOf(operation),
  }
}

const describeAreas = (): ApiDescription['areas'] =>
  API_AREAS.map(({ title, about, operations }) => ({
    title,
    about,
    operations: operations.map(operationDto),
  }))

let areas: ApiDescription['areas'] | null = null

/**
 * The description of the API for its readers. It needs no permission, because it is derived from the sources and contains
 * nothing of a cloud.
 */
export const getApiDescription = ({ version }: { version: string }): ApiDescription => {
  areas ??= describeAreas()
  return { version, areas }
}
