import { type Encoded, tagFor, trusted } from './encoded'
import { jsonText } from './json'
import { visible } from './visible'

/**
 * A segment of a path or a value of a query in a request that a person reads or pastes. All but letters, digits and
 * `._~:@,-` is percent-encoded, so neither a URL nor a shell gives it a meaning. Control, format and separator characters
 * are replaced by their code points first.
 */
export const httpPart = (text: string): Encoded<'http'> =>
  trusted(
    visible(text).replace(/[^A-Za-z0-9._~:@,-]/gu, (character) =>
      encodeURIComponent(character).replace(
        /[!'()*]/g,
        (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    ),
  )

/** The body of a request. */
export const httpBody = (value: unknown): Encoded<'http'> => trusted(jsonText(value))

/** A request: http`PUT /os-services/${httpPart(id)} ${httpBody(body)}`. */
export const http = tagFor<'http'>()
