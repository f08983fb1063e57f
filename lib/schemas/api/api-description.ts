type Field = { name: string; location: 'path' | 'query'; isRequired: boolean }

/** The API for who reads about it: areas with their operations. Made by the server for a page, so no client parses it. */
export type ApiDescription = {
  version: string
  areas: {
    title: string
    about: string
    operations: {
      method: 'GET' | 'POST' | 'PUT' | 'DELETE'
      path: string
      summary: string
      /** The callers, as text. */
      admission: string
      fields: Field[]
      /** JSON Schema of the body, indented; null: it takes none. */
      body: string | null
      /** A line for the shell, with $SLICEBOARD for the address and $TOKEN for an API token. */
      example: string
    }[]
  }[]
}
