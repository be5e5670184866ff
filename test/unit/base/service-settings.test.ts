import { expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { ServiceSettings } from "../../../components/service-settings.ts";
import type { serviceFieldsSchema } from "../../../knowledge/fields/service.ts";

type Fields = z.input<typeof serviceFieldsSchema>;
type Keys<T> = { [K in keyof T]-?: NonNullable<T[K]> extends readonly unknown[] ? K : keyof NonNullable<T[K]> };

it("the documented settings of a service are the fields of the schema, group by group", () => {
    expectTypeOf<ServiceSettings>().toExtend<Fields>();
    expectTypeOf<keyof ServiceSettings>().toEqualTypeOf<keyof Fields>();
    expectTypeOf<Keys<ServiceSettings>["backends"]>().toEqualTypeOf<Keys<Fields>["backends"]>();
    expectTypeOf<Keys<ServiceSettings>["kvCache"]>().toEqualTypeOf<Keys<Fields>["kvCache"]>();
    expectTypeOf<Keys<ServiceSettings>["parallelism"]>().toEqualTypeOf<Keys<Fields>["parallelism"]>();
    expectTypeOf<Keys<ServiceSettings>["gate"]>().toEqualTypeOf<Keys<Fields>["gate"]>();
});
