import type { OPERATIONS } from "./generated/operations.ts";
import type { components, operations } from "./generated/schema.ts";

/** The shapes of the platform's answers and requests, by name. */
export type Schemas = components["schemas"];

/** Names of the operations. */
export type OperationId = keyof typeof OPERATIONS & keyof operations;

/** A body that is no JSON, such as a recording. */
export type Bytes = Blob | FormData | ArrayBuffer | Uint8Array<ArrayBuffer>;

type Parameters<Id extends OperationId, Place extends string> = operations[Id] extends {
  parameters: { [P in Place]?: infer Given };
}
  ? [NonNullable<Given>] extends [never]
    ? unknown
    : NonNullable<Given>
  : unknown;

type Content<Id extends OperationId> = operations[Id] extends { requestBody: { content: infer Types } } ? Types : never;

type Body<Id extends OperationId> = [Content<Id>] extends [never]
  ? unknown
  : Content<Id> extends { "application/json": infer Json }
    ? Json
    : { body: Bytes };

/** Holds what an operation is asked with: its parameters and the fields of its body, side by side. */
export type Input<Id extends OperationId> = Parameters<Id, "path"> & Parameters<Id, "query"> & Body<Id>;

/** Arguments of a call: the input may be left out where nothing has to be given. */
export type Args<Id extends OperationId> =
  Record<never, never> extends Input<Id>
    ? [input?: Input<Id>, options?: CallOptions]
    : [input: Input<Id>, options?: CallOptions];

type Success = 200 | 201 | 202 | 204;

type Responses<Id extends OperationId> = operations[Id]["responses"];

/** The answer of an operation. */
export type Answer<Id extends OperationId> = {
  [Status in keyof Responses<Id> & Success]: Responses<Id>[Status] extends {
    content: { "application/json": infer Json };
  }
    ? Json
    : Responses<Id>[Status] extends { content: { "text/plain": infer Text } }
      ? Text
      : null;
}[keyof Responses<Id> & Success];

/** Settings of one call. */
export type CallOptions = {
  signal?: AbortSignal;
  /**
   * A key under which a request does nothing twice, and is answered as before; a request to admit articles has one by
   * itself.
   */
  idempotencyKey?: string;
  headers?: Record<string, string>;
};
