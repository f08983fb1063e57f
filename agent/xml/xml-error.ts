/** `refused`: a document type or a custom entity. `malformed`: not well-formed, or nested too deep. */
export class XmlError extends Error {
  readonly kind: 'refused' | 'malformed'

  constructor(kind: 'refused' | 'malformed', message: string) {
    super(message)
    this.kind = kind
  }
}

export const MAX_DEPTH = 64

export const tooDeep = (): XmlError =>
  new XmlError('malformed', `it is nested deeper than ${MAX_DEPTH} elements`)

export const closesNothing = (name: string): XmlError =>
  new XmlError('malformed', `</${name}> closes nothing that is open`)

export const endsInTheMiddle = (): XmlError => new XmlError('malformed', 'it ends in the middle')
