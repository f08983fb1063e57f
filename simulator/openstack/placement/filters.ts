import { ApiError } from '../http/api-error'
import { has, type PlacementCall } from './placement-handler'
import type { PlacementState } from './placement-state'
import { isKnownClass, isKnownTrait } from './standard-names'

/** Every set of `anyOf` must be met by at least one trait; none of `forbidden` may be there. */
export type TraitFilter = { anyOf: string[][]; forbidden: string[] }

/** Every list of `anyOf` must share an aggregate with the provider; none of `forbidden` may be one of the provider's. */
export type MemberFilter = { anyOf: string[][]; forbidden: string[] }

export const hasTraits = (traits: ReadonlySet<string>, { anyOf, forbidden }: TraitFilter): boolean =>
  anyOf.every((names) => names.some((name) => traits.has(name))) &&
  forbidden.every((name) => !traits.has(name))

export const matchesMembers = (
  aggregates: ReadonlySet<string>,
  { anyOf, forbidden }: MemberFilter,
): boolean =>
  anyOf.every((uuids) => uuids.some((uuid) => aggregates.has(uuid))) &&
  forbidden.every((uuid) => !aggregates.has(uuid))

const unknownTraits = (state: PlacementState, names: string[]): string[] =>
  names.filter((name) => !isKnownTrait(state, name))

/** `required=A,!B` and, from 1.39 on, `required=in:A,B`, any number of times. An unknown trait is refused. */
export const parseRequired = (call: PlacementCall, values: string[], parameter: string): TraitFilter => {
  const filter: TraitFilter = { anyOf: [], forbidden: [] }
  if (values.length > 1 && !has(call, '1.39')) {
    throw new ApiError(400, `Invalid query string parameters: '${parameter}' may be given once.`)
  }
  for (const value of values) {
    if (value.startsWith('in:')) {
      if (!has(call, '1.39'))
        throw new ApiError(400, `Invalid query string parameters: '${value}' is not valid.`)
      filter.anyOf.push(value.slice(3).split(','))
      continue
    }
    for (const name of value.split(',')) {
      if (name === '' || name === '!') {
        throw new ApiError(
          400,
          `Invalid query string parameters: Expected '${parameter}' parameter value of the form: HW_CPU_X86_VMX,!CUSTOM_MAGIC. Got: ${value}`,
        )
      }
      if (name.startsWith('!')) filter.forbidden.push(name.slice(1))
      else filter.anyOf.push([name])
    }
  }
  const unknown = unknownTraits(call.state, [...filter.anyOf.flat(), ...filter.forbidden])
  if (unknown.length > 0) {
    throw new ApiError(
      400,
      `Invalid trait(s) in "${parameter}" parameter: No such trait(s): ${unknown.join(', ')}.`,
    )
  }
  return filter
}

/** `member_of=<uuid>`, `in:<uuid>,<uuid>`, `!<uuid>`, `!in:…`. */
export const parseMembers = (values: string[]): MemberFilter => {
  const filter: MemberFilter = { anyOf: [], forbidden: [] }
  for (const value of values) {
    const isForbidden = value.startsWith('!')
    const uuids = value.replace(/^!/, '').replace(/^in:/, '').split(',')
    const wrong = uuids.find((uuid) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid))
    if (wrong !== undefined) {
      throw new ApiError(
        400,
        `Invalid query string parameters: Expected 'member_of' parameter to contain valid UUID(s). Got: ${wrong}`,
      )
    }
    if (isForbidden) filter.forbidden.push(...uuids)
    else filter.anyOf.push(uuids)
  }
  return filter
}

/** `VCPU:1,CUSTOM_X:2`. */
export const parseResources = (call: PlacementCall, value: string): Map<string, number> => {
  const wanted = new Map<string, number>()
  for (const part of value.split(',')) {
    const found = /^([A-Z0-9_]+):(-?\d+)$/.exec(part)
    const [, name = '', text = ''] = found ?? []
    if (found === null) {
      throw new ApiError(
        400,
        `Invalid query string parameters: Badly formed resources parameter. Expected resources query string parameter in form: ?resources=VCPU:2,MEMORY_MB:1024. Got: ${value}.`,
      )
    }
    if (Number(text) < 1) {
      throw new ApiError(
        400,
        `Invalid query string parameters: Requested resource ${name} requires amount >= 1. Got: ${text}.`,
      )
    }
    if (!isKnownClass(call.state, name)) {
      throw new ApiError(
        400,
        `Invalid resource class in resources parameter: No such resource class ${name}.`,
      )
    }
    wanted.set(name, Number(text))
  }
  return wanted
}
