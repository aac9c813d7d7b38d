// Command generate makes the Go code of the .proto files with protoc-gen-go and protoc-gen-go-grpc, as protoc would:
// go.mod pins the plugins and the compiler, so that nothing but Go has to be installed.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const goPackage = "unoduo/clients/go/bot/unoduov1"

var plugins = []string{"protoc-gen-go", "protoc-gen-go-grpc"}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: generate PROTO-DIRECTORY OUTPUT-DIRECTORY")
		os.Exit(2)
	}
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "generate: %v\n", err)
		os.Exit(1)
	}
}

func generate(protoDirectory, output string) error {
	request, err := compile(protoDirectory)
	if err != nil {
		return err
	}
	data, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	for _, plugin := range plugins {
		response, err := run(plugin, data)
		if err != nil {
			return fmt.Errorf("%s: %w", plugin, err)
		}
		for _, file := range response.GetFile() {
			if err := replace(filepath.Join(output, filepath.Base(file.GetName())), file.GetContent()); err != nil {
				return err
			}
		}
	}
	return nil
}

// compile returns what a plugin is asked: all files of the package, each behind those that it imports.
func compile(directory string) (*pluginpb.CodeGeneratorRequest, error) {
	found, err := filepath.Glob(filepath.Join(directory, "unoduo", "v1", "*.proto"))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no unoduo/v1/*.proto in %s", directory)
	}
	request := &pluginpb.CodeGeneratorRequest{}
	var parameters []string
	for _, path := range found {
		name := "unoduo/v1/" + filepath.Base(path)
		request.FileToGenerate = append(request.FileToGenerate, name)
		parameters = append(parameters, fmt.Sprintf("M%s=%s", name, goPackage))
	}
	request.Parameter = proto.String(strings.Join(parameters, ","))
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{directory}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(context.Background(), request.GetFileToGenerate()...)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, file := range files {
		request.ProtoFile = append(request.ProtoFile, imported(file, seen)...)
	}
	return request, nil
}

// imported returns a file behind all that it imports, without those that were seen before.
func imported(file protoreflect.FileDescriptor, seen map[string]bool) []*descriptorpb.FileDescriptorProto {
	if seen[file.Path()] {
		return nil
	}
	seen[file.Path()] = true
	var files []*descriptorpb.FileDescriptorProto
	for place := range file.Imports().Len() {
		files = append(files, imported(file.Imports().Get(place).FileDescriptor, seen)...)
	}
	return append(files, protoutil.ProtoFromFileDescriptor(file))
}

func run(plugin string, request []byte) (*pluginpb.CodeGeneratorResponse, error) {
	command := exec.Command("go", "tool", plugin)
	command.Stdin = bytes.NewReader(request)
	command.Stderr = os.Stderr
	data, err := command.Output()
	if err != nil {
		return nil, err
	}
	response := &pluginpb.CodeGeneratorResponse{}
	if err := proto.Unmarshal(data, response); err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, errors.New(response.GetError())
	}
	return response, nil
}

// replace writes a file so that whoever reads it meanwhile, such as another build, sees it whole.
func replace(path, content string) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".generate-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temporary.Name()) }()
	if _, err := temporary.WriteString(content); err != nil {
		return err
	}
	if err := temporary.Close(); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
