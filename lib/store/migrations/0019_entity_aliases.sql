-- What else an entity is called, by the folded form: one entity has many names, a name one entity.
create table entity_aliases (
  name_key   text primary key,
  entity_id  bigint not null references entities on delete cascade
);
create index entity_aliases_entity on entity_aliases (entity_id);

-- How a name sounds, whatever it is written in, and what sort of thing it names: by them the same name is found again in
-- another script. Names that were stored before have neither until they are found again.
alter table entities add column sound text, add column kind text;
create index entities_sound on entities (sound) where sound is not null;
